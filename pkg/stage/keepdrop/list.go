package keepdrop

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/rule"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/bitset"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// A list says which ids are dropped. Besides the table of ids, it takes 4 bytes per id, or 12 with
// --removed or --annotate.
type list struct {
	ids      ids.Table
	inverse  bool             // the list is a keep list, so ids that are not in it are dropped
	ordinals bool             // each id is an ordinal, with or without the range of a part
	cut      bool             // ids name parts; ids of decisions may also name whole records
	files    bool             // ids have the form file:ordinal
	partial  bool             // kept records may be in another dataset
	drops    bitset.Set       // id numbers to drop or, for a keep list, to keep
	found    bitset.Set       // id numbers that occur in the records
	listed   bitset.Set       // bitmap of the ordinals in the list; nil if there is no bitmap
	favoured bitset.Set       // id numbers of kept records
	keptFor  []uint32         // for each id number, that of the kept record plus 1; 0 for none
	why      *reasons         // reasons for the drops; nil without --removed and --annotate
	copies   map[uint32]int64 // group sizes from decisions to keep, by id number; nil if not needed
	queue    *queue           // with --ordered: the decisions, which are read one at a time
	unit     rule.Rule        // rule of the passages that are cut, from the first decision that states it
	least    float64          // minimum length of passages, by this rule
}

// readList reads the list given by --decisions, --keep or --drop.
func readList(e *tool.Env, o *Options) (*list, error) {
	opt := lineio.Options(e)
	opt.Ended = o.Decisions != "" // other programs write lists of ids, often without a last line end
	rd, err := record.NewReader(lineio.Input(e, []string{o.Decisions + o.Keep + o.Drop}), opt)
	if err != nil {
		return nil, err
	}
	if o.Ordered {
		l := &list{ordinals: o.Ordinals, queue: &queue{rd: rd}}
		return l, l.queue.advance()
	}
	l := &list{inverse: o.Keep != "", ordinals: o.Ordinals, cut: o.Cut, partial: o.Partial, files: o.Records.WithFilename && !o.Ordinals && o.Records.ID == ""}
	if o.Removed != "" || o.Annotate {
		l.why = new(reasons)
	}
	if o.Annotate || o.Sizes.Flag() != "" {
		l.copies = map[uint32]int64{}
	}
	add := l.addDecision
	if o.Decisions == "" {
		add = func(text []byte) error { return l.addLine(text, o.Column) }
	}
	err = tool.EachRecord(e, rd, func(rec *record.Record) error {
		if err := add(rec.Raw); err != nil {
			return lineio.At(rec, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if o.byOrdinal() && !o.Cut {
		l.buildBitmap()
	}
	return l, l.checkKept()
}

// number returns the number of an id of the list, and adds the id if it is new. In a list of
// ordinals, it returns an error if the argument must is set and the id is not an ordinal.
func (l *list) number(id []byte, must bool) (uint32, error) {
	if l.ordinals && must {
		owner := id
		if l.cut {
			owner, _, _, _ = ids.CutPart(id)
		}
		if _, ok := ids.Ordinal(owner); !ok {
			return 0, fmt.Errorf("id %q of the list is not an ordinal", id)
		}
	}
	for l.files && bytes.HasPrefix(id, dotSlash) { // with -H, the reader returns a:3 for record 3 of ./a
		id = bytes.TrimLeft(id[len(dotSlash):], "/")
	}
	return l.ids.Intern(id), l.ids.Full()
}

var dotSlash = []byte("./")

// addLine adds the id in column n of a line of a keep or drop list. Columns are numbered from 1.
func (l *list) addLine(text []byte, n int) error {
	id, err := line.Column(text, n)
	if err != nil {
		return err
	}
	if _, _, _, isPart := ids.CutPart(id); l.cut && !isPart {
		return fmt.Errorf("id %q of the list is not the id of a part: want an id such as 17#0-80", id)
	}
	number, err := l.number(id, true)
	l.drops.Add(int64(number))
	return err
}

// addDecision parses a line and adds the decision. If several decisions drop the same record in
// favour of others, the last of these decisions applies.
func (l *list) addDecision(text []byte) error {
	var d line.Decision
	if err := d.Parse(text); err != nil {
		return err
	}
	n, err := l.number(d.ID, true)
	if err != nil {
		return err
	}
	if d.Verdict == line.Keep {
		if l.copies != nil && d.Copies > 1 {
			l.copies[n] = d.Copies
		}
		return nil
	}
	l.drops.Add(int64(n))
	if l.cut {
		l.noteBound(d.Rule)
	}
	if _, favours := l.keptOf(n); favours && d.Kept == nil {
		return nil // the earlier decision also names a kept record
	}
	l.why.add(n, &d)
	if d.Kept == nil {
		return nil
	}
	kept, err := l.number(d.Kept, !l.partial)
	if err != nil {
		return err
	}
	if kept == n {
		return fmt.Errorf("%q is dropped in favour of itself", d.Kept)
	}
	if missing := int(n) + 1 - len(l.keptFor); missing > 0 {
		l.keptFor = append(l.keptFor, make([]uint32, missing)...)
	}
	l.keptFor[n] = kept + 1
	l.favoured.Add(int64(kept))
	return nil
}

func (l *list) noteBound(reason []byte) {
	if l.unit.Name != "" {
		return
	}
	if r, least := rule.Find(reason); r == rule.Passage || r == rule.Words {
		l.unit, l.least = r, least
	}
}

// lookUp returns the number of an id, whether the id is in the list, and whether its record is
// dropped. n is 0 if the id is not listed.
func (l *list) lookUp(id []byte) (n uint32, listed, drop bool) {
	n, listed = l.ids.Lookup(id)
	if !listed {
		return 0, false, l.inverse
	}
	l.found.Add(int64(n))
	return n, true, l.drops.Has(int64(n)) != l.inverse
}

// checkFound returns an error if the list has an id that no record has, because the list then
// probably belongs to another dataset. With a queue, it returns an error if decisions are left in
// the queue.
func (l *list) checkFound() error {
	if q := l.queue; q != nil {
		if !q.more {
			return nil
		}
		err := fmt.Errorf("the list has %q out of order: no record after the previous decision has this id", q.d.ID)
		return msg.WithHint(err, "without --ordered, the list may be in any order")
	}
	missing := l.ids.Len() - l.found.Len()
	for i := range l.ids.Len() {
		if missing > 0 && !l.found.Has(int64(i)) {
			return errForeign(missing, l.id(uint32(i)))
		}
	}
	return nil
}

// errForeign returns the error for a list with ids that no record has. It states the number of
// these ids and one example.
func errForeign(missing int, id []byte) error {
	err := fmt.Errorf("%s of the list %s not among the records, such as %q", msg.Number(missing, "id"), msg.Are(missing), id)
	return msg.WithHint(err, "ids are numbers from 0 unless --id or -H is given; --partial accepts a list with more ids")
}

func (l *list) id(n uint32) []byte { return l.ids.Append(nil, int(n)) }

// If records are named by ordinals, a bitmap up to the largest ordinal of the list says which
// ordinals are listed. Most records are not listed, so the bitmap saves most look-ups in the table,
// each of which encodes and hashes the id.

// maxBitsPerID is the maximum size of the bitmap, in bits per id of the list. A list of a few large
// ordinals would exceed it and gets no bitmap.
const maxBitsPerID = 4096

func (l *list) buildBitmap() {
	largest := int64(-1)
	l.eachOrdinal(func(n int64) { largest = max(largest, n) })
	if largest/maxBitsPerID < int64(l.ids.Len()) {
		l.listed = bitset.Set{}
		l.eachOrdinal(func(n int64) { l.listed.Add(n) })
	}
}

// eachOrdinal calls fn for each id of the list that is an ordinal.
func (l *list) eachOrdinal(fn func(int64)) {
	var id []byte
	for i := range l.ids.Len() {
		id = l.ids.Append(id[:0], i)
		if n, ok := ids.Ordinal(id); ok {
			fn(n)
		}
	}
}

// lacks reports whether the bitmap shows that an ordinal is not listed. Without a bitmap it returns
// false.
func (l *list) lacks(ordinal int64) bool { return l.listed != nil && !l.listed.Has(ordinal) }

// isCopied reports whether a record can be copied without decoding, because it is neither dropped
// nor a kept record. It is safe for concurrent use after the list is read.
func (l *list) isCopied(ordinal int64) bool {
	var id [20]byte
	n, listed := uint32(0), false
	if !l.lacks(ordinal) {
		n, listed = l.ids.Lookup(strconv.AppendInt(id[:0], ordinal, 10))
	}
	if !listed {
		return !l.inverse
	}
	return l.drops.Has(int64(n)) == l.inverse && !l.favoured.Has(int64(n))
}

// reasons maps id numbers to the reasons why the records are dropped. There are few different
// scores and reasons, so each is stored once.
type reasons struct {
	words ids.Table
	of    []reason
}

// A reason says why a record is dropped. Its fields are numbers in the table reasons.words; 0 means
// none.
type reason struct {
	text  uint32
	score uint32 // similarity to the kept record; 0 for a record dropped by a rule
}

// add stores the reason for the decision d on the record with id number n. If r is nil, add does
// nothing.
func (r *reasons) add(n uint32, d *line.Decision) {
	if r == nil {
		return
	}
	if r.words.Len() == 0 {
		r.words.Intern(nil) // number 0
	}
	for int(n) >= len(r.of) {
		r.of = append(r.of, reason{})
	}
	y := reason{text: r.words.Intern(d.Reason())}
	if v, ok := d.Score.Float(); d.Kept != nil && ok && !math.IsInf(v, 0) { // JSON has no infinity
		y.score = r.words.Intern(d.Score.Append(nil))
	}
	r.of[n] = y
}

// get returns the reason why a record is dropped, and its similarity to the kept record. A missing
// reason or similarity is nil.
func (r *reasons) get(n uint32) (text, score []byte) {
	if r == nil || int(n) >= len(r.of) {
		return nil, nil
	}
	y := r.of[n]
	return r.words.Append(nil, int(y.text)), r.words.Append(nil, int(y.score))
}
