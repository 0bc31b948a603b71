package audit

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"unsafe"

	"doppel/pkg/audit"
	"doppel/pkg/digest/exacthash"
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/par"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
	"doppel/pkg/tool"
)

// recount checks the claims in a file, in batches that fit in a quarter of the memory. It calls
// each to get the claims.
func (a *run) recount(name string, each func(add func(audit.Claim) error) error) error {
	most := max(1, int(a.Mem)/4/int(unsafe.Sizeof(audit.Claim{})+unsafe.Sizeof(audit.Need{})))
	r := &recounting{run: a, file: name}
	err := each(func(c audit.Claim) error {
		if r.claims.All = append(r.claims.All, c); len(r.claims.All) < most {
			return nil
		}
		return r.check()
	})
	if err != nil {
		return err
	}
	return r.check()
}

// A recounting checks the claims of one file.
type recounting struct {
	*run
	file   string         // name of the file with the claims, shown in the reports of faults
	claims audit.Claims   // claims of the current batch
	store  *jaccard.Store // print of the earlier part of each claim
	due    []due          // claims whose parts have both been read
	later  printed        // print of the later part that was read last
}

// due holds a claim whose parts have both been read, and the print of the later part.
type due struct {
	*audit.Claim
	later printed
}

// check checks the claims added so far, reading their records once, and removes the claims.
func (r *recounting) check() error {
	if len(r.claims.All) == 0 {
		return nil
	}
	r.claims.Arrange()
	r.store = jaccard.NewStore(len(r.claims.Needs), int64(r.Mem)/2)
	if err := r.readCollected(); err != nil {
		return err
	}
	for _, name := range r.olds {
		if err := r.read([]string{name}, r.oldOptions(), r.ledger.old[filepath.Clean(name)].first, nil); err != nil {
			return err
		}
	}
	if err := r.read(r.inputs, r.opt, r.ledger.all.first, r.places); err != nil {
		return err
	}
	r.claims.All = r.claims.All[:0]
	return nil
}

// oldOptions returns the options for reading the texts of old records.
func (a *run) oldOptions() record.Options {
	opt := a.opt
	if len(a.AgainstField) > 0 {
		opt.Fields, opt.Flag = a.AgainstField, "--against-field"
	}
	return opt
}

// prints holds the prints of the parts in a batch of records, in the order in which collectDue
// reads them. A print is the set of shingles of a part, or a digest of the part.
type prints struct {
	words []uint64
	all   []printed
}

// A printed value is the range of a part's print in prints.words.
type printed struct {
	start, end int
	short      bool // the text ends before the part
}

// read reads the named files and checks the claims about their records. The parameter first is the
// number of the first record in these files. If the positions of the records are known, only
// records with claims are read.
func (r *recounting) read(names []string, opt record.Options, first int64, places *record.Places) error {
	wanted := func(ordinal int64) bool { return r.claims.Wanted(first + ordinal) }
	var rd *record.Reader
	var err error
	if places.Known(r.records) {
		rd, err = places.Reader(opt, wanted)
	} else {
		opt.Skip = func(ordinal int64) bool { return !wanted(ordinal) }
		rd, err = record.NewReader(r.e.Input(names), opt)
	}
	if err != nil {
		return err
	}
	spares := par.NewSpares[prints](r.e.Jobs)
	newWork := func() func(*record.Batch) *prints {
		w := audit.NewPrinter(r.how, r.seed)
		return func(b *record.Batch) *prints {
			p := spares.Get()
			p.words, p.all = p.words[:0], p.all[:0]
			for i := range b.Records {
				if rec := &b.Records[i]; rec.Err == nil {
					r.print(p, w, rec, first+rec.Ordinal)
				}
			}
			return p
		}
	}
	return tool.Batches(r.e, rd, newWork, func(b *record.Batch, p *prints) error {
		defer spares.Put(p)
		next := p.all
		for i := range b.Records {
			rec := &b.Records[i]
			if rec.Err != nil {
				continue
			}
			var err error
			if next, err = r.collectDue(p, next, first+rec.Ordinal); err != nil {
				return err
			}
		}
		return r.checkDue(p)
	})
}

// compared returns a text in the form in which the run compared it, and the ends of its fields in
// that form. It normalises URLs with the same code as the run.
func (a *run) compared(text []byte, ends []int) ([]byte, []int) {
	if !a.urls {
		return text, ends
	}
	if len(ends) == 0 {
		return exacthash.AppendURL(nil, text), nil
	}
	var body []byte
	var all []int
	start := 0
	for _, end := range ends {
		if len(all) > 0 {
			body = append(body, '\n')
		}
		body = exacthash.AppendURL(body, text[start:end])
		all, start = append(all, len(body)), end+1
	}
	return body, all
}

// print appends the prints of the parts of a record to p. The prints to be compared with those of
// later parts come first. The prints to be compared with those of earlier parts follow, one for
// each distinct part.
func (r *recounting) print(p *prints, w *audit.Printer, rec *record.Record, place int64) {
	start, end := r.claims.NeedsOf(place)
	for _, n := range r.claims.Needs[start:end] {
		r.add(p, w, rec, n)
	}
	start, end = r.claims.Of(place)
	for i, c := range r.claims.All[start:end] {
		if i == 0 || !samePart(&c, &r.claims.All[start+i-1]) {
			r.add(p, w, rec, audit.Need{Part: c.Later, Rule: c.Rule})
		}
	}
}

// samePart reports whether two claims compare the same part by the same rule.
func samePart(a, b *audit.Claim) bool { return a.Later == b.Later && a.Rule == b.Rule }

// add appends the print of a part to p.
func (r *recounting) add(p *prints, w *audit.Printer, rec *record.Record, n audit.Need) {
	body, ok := n.Of(rec.Text)
	x := printed{start: len(p.words), short: !ok}
	ends := rec.Ends
	if n.End != audit.Whole {
		ends = nil
		if n.Rule != audit.Identical { // recsign --split signs parts without surrounding space
			body = bytes.Trim(body, " \t\r\n\v\f")
		}
	}
	switch {
	case !ok:
	case n.Rule == audit.Similar:
		p.words = w.Shingles(p.words, body)
	case n.Rule == audit.Equal:
		body, ends = r.compared(body, ends)
		p.words = w.Digest(p.words, body, ends)
	default:
		p.words = w.DigestRaw(p.words, body)
	}
	if r.opt.Within != "" {
		w.Separate(p.words[x.start:], rec.Value)
	}
	if r.opt.Across != "" {
		p.words = append(p.words, w.Value(rec.Value))
	}
	x.end = len(p.words)
	p.all = append(p.all, x)
}

// collectDue stores the prints of a record's parts for comparison with later parts, and adds to
// r.due the claims that compare parts of the record with earlier parts. The slice next begins with
// the prints of the record; collectDue returns the rest of the slice.
func (r *recounting) collectDue(p *prints, next []printed, place int64) ([]printed, error) {
	start, end := r.claims.NeedsOf(place)
	for i := start; i < end; i++ {
		if x := next[i-start]; !x.short {
			if err := r.store.Put(uint32(i), p.words[x.start:x.end]); err != nil {
				return nil, err
			}
		}
	}
	next = next[end-start:]
	start, end = r.claims.Of(place)
	for i := start; i < end; i++ {
		if i == start || !samePart(&r.claims.All[i], &r.claims.All[i-1]) {
			r.later, next = next[0], next[1:]
		}
		r.due = append(r.due, due{&r.claims.All[i], r.later})
	}
	return next, nil
}

// claimsAtOnce is the number of claims that a worker checks in one call.
const claimsAtOnce = 64

// checked is the result of checking some claims.
type checked struct {
	counted int64
	faults  []audit.Fault
	err     error
}

// checkDue checks the claims in r.due in parallel, reports faults in order, and empties r.due.
func (r *recounting) checkDue(p *prints) error {
	rest := r.due
	next := func() (some []due, err error) {
		if len(rest) == 0 {
			return nil, io.EOF
		}
		n := min(len(rest), claimsAtOnce)
		some, rest = rest[:n], rest[n:]
		return some, nil
	}
	newWork := func() func([]due) checked {
		w := &worker{recounting: r, checker: audit.Checker{Threshold: r.Threshold, Across: r.opt.Across != ""}}
		return func(some []due) checked { return w.check(p, some) }
	}
	jobs := r.e.Jobs
	if len(r.due) <= claimsAtOnce {
		jobs = 1
	}
	err := par.Ordered(jobs, next, newWork, func(c checked) error {
		r.counted += c.counted
		for _, f := range c.faults {
			if err := r.report(f); err != nil {
				return err
			}
		}
		return c.err
	})
	r.due = r.due[:0]
	return err
}

// A worker checks claims. It is not safe for concurrent use.
type worker struct {
	*recounting
	checker audit.Checker
	buf     []uint64
}

func (w *worker) check(p *prints, some []due) (c checked) {
	for i, d := range some {
		if i == 0 || d.later != some[i-1].later {
			w.checker.Later(p.words[d.later.start:d.later.end])
		}
		n := uint32(w.claims.Number(d.Claim))
		what := "has a part longer than its text; the same may be true of"
		if !d.later.short && w.store.Known(n) {
			var earlier []uint64
			if earlier, w.buf, c.err = w.store.Get(n, w.buf); c.err != nil {
				return c
			}
			what = w.checker.Check(d.Claim, earlier)
		}
		if c.counted++; what == "" {
			continue
		}
		first, second := d.Later, d.Earlier
		if d.Swapped {
			first, second = second, first
		}
		news := w.ledger.all.first // number of the first record that is not old
		name := fmt.Sprintf("record %d", second.Record-news)
		for _, s := range w.ledger.old {
			if !s.bare && s.first <= second.Record && second.Record < s.first+s.records && second.Record < news {
				name = fmt.Sprintf("record %d of %s", second.Record-s.first, s.name)
			}
		}
		if x := w.collected; x != nil && second.Record < news {
			name = fmt.Sprintf("%s of %s", x.olds[second.Record-x.space.first].id, x.dir)
		}
		if second.End != audit.Whole {
			name += fmt.Sprintf(", bytes %d to %d", second.Start, second.End)
		}
		c.faults = append(c.faults, audit.Fault{Name: w.file, Line: d.Line, Record: max(-1, first.Record-news), What: what + " " + name})
	}
	return c
}

// recountScores recomputes the scores in the file of scored pairs, if one is given.
func (a *run) recountScores() error {
	name := a.Scores
	if name == "" {
		return nil
	}
	opt := record.Options{MaxRecord: a.opt.MaxRecord}
	kind, err := write.Preflight(record.Input{Names: []string{name}}, opt, dataform.Form{}, nil, true)
	if err != nil {
		return err
	}
	if kind.Columns {
		defer a.closeScratch()
		if name, _, err = a.converted([]string{name}, opt, dataform.JSONLines, nil, nil); err != nil {
			return err
		}
	}
	return a.recount(a.Scores, func(add func(audit.Claim) error) error {
		var s line.Score
		return a.eachLine(name, func(text []byte, number int64) error {
			if err := s.Parse(text); err != nil {
				return &record.SyntaxError{Name: a.Scores, Line: number, Err: err}
			}
			first, ok := a.known(s.A)
			second, also := a.known(s.B)
			if !ok || !also {
				missing := s.A
				if ok {
					missing = s.B
				}
				return a.report(audit.Fault{Name: a.Scores, Line: number, Record: -1, What: fmt.Sprintf("%q is not a record", missing)})
			}
			c := claimOf(first, second)
			if c.Line = number; s.Sized {
				c.Sizes = &audit.Sizes{A: int(s.SizeA), B: int(s.SizeB), ShareA: s.ContainmentA, ShareB: s.ContainmentB}
			}
			if c.Score, ok = points(s.Score); !ok {
				return a.report(audit.Fault{Name: a.Scores, Line: number, Record: first.Record - a.ledger.all.first, What: "has a score without four decimals"})
			}
			if a.Policy == "components" && a.reaches(&c, s.Score) {
				if x, y := a.groups.root(first.Record), a.groups.root(second.Record); x != y {
					a.groups[max(x, y)] = min(x, y)
				}
			}
			return add(c)
		})
	})
}

// reaches reports whether a pair reaches the threshold. A score is rounded down to four decimals. If
// the threshold has more, the number of shared shingles follows from the sizes of the records; the
// recount has found or will find a pair whose sizes are wrong.
func (a *run) reaches(c *audit.Claim, score float64) bool {
	if score >= a.Threshold || score <= a.Threshold-1./audit.One || c.Sizes == nil {
		return score >= a.Threshold
	}
	for shared := range min(c.Sizes.A, c.Sizes.B) + 1 {
		if l := (audit.Likeness{Shared: shared, Union: c.Sizes.A + c.Sizes.B - shared}); l.Score() == c.Score && l.Reaches(a.Threshold) {
			return true
		}
	}
	return false
}

// groups is a union-find forest of connected records. It maps each record of a group, except the
// first, to an earlier record of the same group. It takes about 50 bytes per record.
type groups map[int64]int64

// root returns the first record of n's group, which identifies the group.
func (g groups) root(n int64) int64 {
	for {
		next, ok := g[n]
		if !ok {
			return n
		}
		if after, ok := g[next]; ok {
			g[n] = after
		}
		n = next
	}
}

// checkConnected checks decisions that have no score. With --policy components, a record may be
// dropped by such a decision. A chain of scored pairs must then connect the dropped record with the
// kept record that the decision names.
func (a *run) checkConnected() error {
	if a.Policy != "components" {
		return nil
	}
	return a.eachDecision(func(d *line.Decision, number int64) error {
		if _, scored := d.Score.Float(); scored || d.Verdict != line.Drop || d.Kept == nil {
			return nil
		}
		dropped, ok := a.known(d.ID)
		kept, also := a.known(d.Kept)
		switch {
		case !ok || !also: // already reported
		case a.Scores == "":
			a.unknown++
		case a.groups.root(dropped.Record) != a.groups.root(kept.Record):
			return a.decisionFault(number, dropped.Record-a.ledger.all.first, "is dropped in favour of %q, but no scored pairs connect the two", d.Kept)
		}
		return nil
	})
}
