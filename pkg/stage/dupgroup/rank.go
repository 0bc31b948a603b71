package dupgroup

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	where "doppel/pkg/line/dupid"
	"doppel/pkg/line/ids"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// A Rule is a value of --rank: it says which of two copies is better.
type Rule struct {
	Name    string
	Needs   Need
	compare func(a, b *sortKey) int // negative if a is better; 0 leaves the choice to the order of the input
}

// A Need is what a rule must know of the records.
type Need string

const (
	Nothing Need = "nothing" // the rule needs only the order of the ids
	Size    Need = "size"    // the number of shingles or, if the pairs do not give it, of bytes
	Field   Need = "field"   // the value of a field
)

// Rules lists the values of --rank that name no field. The first is the default. Help texts, which
// have 80 columns, messages, and the Python package take the names from this table. The pages of
// dupgroup, doppel fuzzy and doppel exact, and cmd/testdata/options.tsv must have them, as tests
// check. The docstrings of the Python package and doppel-cluster(7) name some of them.
var Rules = []Rule{
	{"first", Nothing, func(a, b *sortKey) int { return 0 }},
	{"last", Nothing, func(a, b *sortKey) int { return cmp.Compare(b.ordinal, a.ordinal) }},
	{"longest", Size, descending},
}

// RuleNames returns the names of the rules.
func RuleNames() (names []string) {
	for _, r := range Rules {
		names = append(names, r.Name)
	}
	return names
}

// ruleWords returns the names and needs of the rules, as the table of --flags contains them.
func ruleWords() (words []string) {
	for _, r := range Rules {
		words = append(words, r.Name+"="+string(r.Needs))
	}
	return words
}

// lookUpRule returns the rule with the given name, or a rule without a name that needs a field.
func lookUpRule(name string) Rule {
	if i := slices.Index(RuleNames(), name); i >= 0 {
		return Rules[i]
	}
	return Rule{Needs: Field}
}

// Ranks reports whether --rank differs from the default, which needs no ranking.
func (o *Options) Ranks() bool { return o.Rank != Rules[0].Name }

// Needs returns what --rank needs to know of the records.
func (o *Options) Needs() Need { return lookUpRule(o.Rank).Needs }

// NeedsRecords reports whether the records must be read, because the decisions depend on a field or
// on the number of records.
func (o *Options) NeedsRecords() bool { return o.Target > 0 || o.Needs() == Field }

// A ranking is a rule and, if the rule needs a field, its path.
type ranking struct {
	Rule
	field string
	bytes bool // compare lengths in bytes, because the pairs give no sizes
}

func parseRank(s string, haveRecords bool) (ranking, error) {
	rule := lookUpRule(s)
	if rule.Needs != Field {
		return ranking{Rule: rule}, nil
	}
	field, order, has := strings.Cut(s, ":")
	switch {
	case field == "" || has && order != "desc" && order != "asc":
		return ranking{}, tool.UsageError("--rank %q: want %s, or FIELD[:desc]", s, strings.Join(RuleNames(), ", "))
	case !haveRecords:
		return ranking{}, tool.UsageError("--rank %s needs --records", s)
	}
	if rule.compare = ascending; order == "desc" {
		rule.compare = descending
	}
	return ranking{Rule: rule, field: field}, nil
}

// A sortKey is the value by which a record is ranked.
type sortKey struct {
	last    bool    // the value or the size is missing, empty or not a number (NaN), so the record is worse than all others
	known   bool    // the record was read, or is old and need not be read
	number  float64 // the value, rounded to a float64, if it is a number
	decimal []byte  // the unrounded digits of the value, if rounding may have changed it
	text    []byte  // the value, if it is not a number
	ordinal int64   // ordinal of the record in the input or, if it is not read, of its id; breaks ties
}

// Records describes the records to rank.
type Records struct {
	IDs  *ids.Table
	Size func(number uint32) int64 // returns a record's number of shingles, or NoSize
	Old  func(number uint32) bool  // reports whether a record is old; nil if no record is old
	Read *int64                    // counter of the records read from the data; may be nil
}

// NoSize stands for an unknown size.
const NoSize = -1

// Order returns the id numbers in order of rank: old records first, in the order of their ids, then
// the others from the best to the worst. Ids of equal rank are in the order of the records if o.Data is set, otherwise in
// the order of the ids. If the result is nil, the order is 0, 1, 2, …
func (o *Options) Order(e *tool.Env, s Records) ([]uint32, error) {
	r, err := parseRank(o.Rank, len(o.Data) > 0)
	if err != nil {
		return nil, err
	}
	order := s.IDs.Order()
	ranked, olds := o.Ranks() || len(o.Data) > 0, s.Old != nil && len(o.Old) > 0
	if order == nil && (ranked || olds) {
		order = ids.Numbers(s.IDs.Len())
	}
	fresh := order // the new records, which alone are ranked
	if olds {
		slices.SortStableFunc(order, func(a, b uint32) int {
			switch old := s.Old(a); {
			case old == s.Old(b):
				return 0
			case old:
				return -1
			}
			return 1
		})
		for len(fresh) > 0 && s.Old(fresh[0]) {
			fresh = fresh[1:]
		}
	}
	if ranked {
		places, err := r.sortKeys(e, o, s, fresh)
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(fresh, func(a, b uint32) int {
			x, y := &places[a], &places[b]
			return cmp.Or(r.compare(x, y), cmp.Compare(x.ordinal, y.ordinal))
		})
	}
	return order, nil
}

// sortKeys returns the sort key of each id. fresh lists the ids of the new records.
func (r ranking) sortKeys(e *tool.Env, o *Options, s Records, fresh []uint32) ([]sortKey, error) {
	places := make([]sortKey, s.IDs.Len())
	for i := range places {
		places[i].known = s.Old != nil && s.Old(uint32(i))
	}
	for i, n := range fresh {
		places[n].ordinal = int64(i)
	}
	if len(o.Data) > 0 {
		r.bytes = r.Needs == Size && !slices.ContainsFunc(ids.Numbers(len(places)), func(n uint32) bool { return s.Size(n) != NoSize })
		if err := r.readKeys(e, o.Data, s, places); err != nil {
			return nil, err
		}
	}
	if r.Needs != Size || r.bytes {
		return places, nil
	}
	for i := range places {
		size := s.Size(uint32(i))
		// With old records, a size may be missing, for example because the record is in no pair of
		// two new records.
		if size == NoSize && len(o.Old) == 0 {
			return nil, msg.WithHint(fmt.Errorf("--rank %s needs pairs with sizes", r.Name), "{jaccard} --records writes sizes")
		}
		places[i].number, places[i].last = float64(size), size == NoSize
	}
	return places, nil
}

// ascending compares the values of a field, or sizes. A record without a value is worse than all
// others.
func ascending(a, b *sortKey) int { return cmp.Or(compareKnown(a, b), compareValues(a, b)) }

func descending(a, b *sortKey) int { return cmp.Or(compareKnown(a, b), compareValues(b, a)) }

func compareKnown(a, b *sortKey) int {
	switch {
	case a.last == b.last:
		return 0
	case a.last:
		return 1
	}
	return -1
}

func compareValues(a, b *sortKey) int {
	c := cmp.Or(cmp.Compare(a.number, b.number), bytes.Compare(a.text, b.text))
	if c == 0 && (a.decimal != nil || b.decimal != nil) {
		return compareDecimals(a.digits(), b.digits())
	}
	return c
}

// readKeys reads the records and fills in the sort keys of all ids.
func (r ranking) readKeys(e *tool.Env, data []string, s Records, places []sortKey) error {
	opt := e.Records
	opt.Within, opt.Across = "", "" // the field of --rank may be the same
	opt.Fields, opt.NoText = nil, r.field == "" && !r.bytes
	if r.field != "" {
		opt.Missing = record.MissingKeep
		opt.Fields, opt.Flag = []string{r.field}, "--rank, or use "+msg.Or(RuleNames())
	}
	var found atomic.Bool              // a record has the field
	if skip := opt.Skip; skip != nil { // until then, read the field of all records, not only of those in pairs
		opt.Skip = func(ordinal int64) bool { return found.Load() && skip(ordinal) }
	}
	rd, err := record.NewReader(e.Input(data), opt)
	if err != nil {
		return err
	}
	stands, records := where.NewNumbered(len(places)), 0
	err = tool.EachRecord(e, rd, func(rec *record.Record) error {
		if s.Read != nil {
			*s.Read++
		}
		if records++; !rec.Lacks {
			found.Store(true)
		}
		n, ok := s.IDs.Lookup(rec.ID)
		if !ok {
			return nil
		}
		if err := stands.Note(n, rec); err != nil {
			return e.Skip(err)
		}
		places[n] = r.place(rec)
		return nil
	})
	if err == nil && !found.Load() && records > 0 {
		err = fmt.Errorf("--rank %s: no record has the field %q", r.field, r.field)
	}
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(places, func(p sortKey) bool { return !p.known }); i >= 0 {
		return fmt.Errorf("id %q of the pairs is not among the records", s.IDs.Append(nil, i))
	}
	return nil
}

func (r ranking) place(rec *record.Record) sortKey {
	p := sortKey{known: true, ordinal: rec.Ordinal}
	switch {
	case r.bytes:
		p.number = float64(len(rec.Text))
		return p
	case r.field == "":
		return p
	}
	if p.last = len(rec.Text) == 0; p.last {
		return p
	}
	n, err := strconv.ParseFloat(string(rec.Text), 64)
	if p.last = err == nil && math.IsNaN(n); p.last {
		return p
	}
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		p.text = bytes.Clone(rec.Text)
		// Without the Z of timestamps in UTC, one with a fraction follows the same second.
		if len(p.text) >= len("2006-01-02T15:04:05Z") && p.text[10] == 'T' {
			p.text = bytes.TrimSuffix(p.text, []byte("Z"))
		}
		return p
	}
	if p.number = n; mayRound(rec.Text) {
		p.decimal = bytes.Clone(rec.Text)
	}
	return p
}
