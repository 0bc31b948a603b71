package keepdrop

import (
	"bytes"
	"fmt"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/record/ordinals"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// A list says which ids are dropped. Beside the ids it takes 4 bytes for each,
// and 8 more for an audit.
type list struct {
	ids       ids.Table
	inverse   bool         // a keep list: what is not listed is dropped
	ordinals  bool         // ids are ordinals, or of parts of records that are named by them
	cut       bool         // ids are of parts; those of decisions may be of whole records too
	files     bool         // ids are file:ordinal
	partial   bool         // what records are dropped in favour of may be in other data
	drops     ordinals.Set // by number; ids of decisions may also be kept
	met       ordinals.Set // by number
	listed    ordinals.Set // by ordinal, nil if that is not known
	favoured  ordinals.Set // by number: others are dropped in favour of it
	favourite []uint32     // by number: that of the record that is kept instead, plus 1
	why       *reasons     // nil without an audit
	queue     *queue       // with --ordered: all decisions, and no ids
}

// readList reads the one list that is given.
func readList(e *tool.Env, o *Options) (*list, error) {
	if o.Ordered {
		q, err := openQueue(e, o.Decisions)
		return &list{ordinals: o.Ordinals, queue: q}, err
	}
	l := &list{inverse: o.Keep != "", ordinals: o.Ordinals, cut: o.Cut, partial: o.Partial, files: o.Records.WithFilename && !o.Ordinals && o.Records.ID == ""}
	name, take := o.Keep+o.Drop, column{l, o.Column}.take
	if o.Decisions != "" {
		name, take = o.Decisions, l.decision
		if o.Removed != "" || o.Annotate {
			l.why = new(reasons)
		}
	}
	if err := l.read(e, name, take); err != nil {
		return nil, err
	}
	if o.byOrdinal() && !o.Cut {
		l.sieve()
	}
	return l, l.checkFavours()
}

// read hands the lines of the list to take.
func (l *list) read(e *tool.Env, name string, take func(line []byte) error) error {
	rd, err := lines.Open(e, []string{name})
	if err != nil {
		return err
	}
	return tool.EachRecord(e, rd, func(rec *record.Record) error {
		if err := take(rec.Raw); err != nil {
			return rec.At(err)
		}
		return nil
	})
}

// number returns the number of an id of the list.
func (l *list) number(id []byte) (uint32, error) {
	if l.cut || l.ordinals {
		if err := l.check(id); err != nil {
			return 0, err
		}
	}
	return l.ids.Intern(l.asRead(id)), l.ids.Full()
}

// asRead returns an id of the list as the reader makes it: ./a:3 is a:3 under -H.
func (l *list) asRead(id []byte) []byte {
	for l.files && bytes.HasPrefix(id, here) {
		id = bytes.TrimLeft(id[len(here):], "/")
	}
	return id
}

var here = []byte("./")

// check refuses an id that is not of the kind that is wanted.
func (l *list) check(id []byte) error {
	owner := id
	if l.cut {
		owner, _, _, _ = ids.CutPart(id)
	}
	if _, ok := ids.Ordinal(owner); l.ordinals && !ok {
		return fmt.Errorf("id %q of the list is no ordinal", id)
	}
	return nil
}

// A column of a list has its ids.
type column struct {
	list *list
	n    int // from 1
}

// take takes the id of a line.
func (c column) take(text []byte) error {
	id, err := line.Column(text, c.n)
	if err != nil {
		return err
	}
	if _, _, _, isPart := ids.CutPart(id); c.list.cut && !isPart {
		return fmt.Errorf("id %q of the list is not of a part, as in 17#0-80", id)
	}
	n, err := c.list.number(id)
	c.list.drops.Add(int64(n))
	return err
}

// decision takes a line that dupgroup or recfilter wrote.
func (l *list) decision(text []byte) error {
	var d line.Decision
	if err := d.Parse(text); err != nil {
		return err
	}
	n, err := l.number(d.ID)
	if err != nil || d.Verdict == line.Keep {
		return err
	}
	l.drops.Add(int64(n))
	if _, favours := l.favouriteOf(n); favours && d.Kept == nil {
		return nil // what was said first says more
	}
	l.why.add(n, &d)
	if d.Kept == nil {
		return nil
	}
	return l.favour(d.Kept, n)
}

// find returns the number of an id, if it is listed, and whether its record is
// dropped.
func (l *list) find(id []byte) (n uint32, listed, drop bool) {
	n, listed = l.ids.Lookup(id)
	if !listed {
		return 0, false, l.inverse
	}
	l.met.Add(int64(n))
	return n, true, l.drops.Has(int64(n)) != l.inverse
}

// unmet returns an error if the list has ids that no record had: it is the
// list of another dataset.
func (l *list) unmet() error {
	if l.queue != nil {
		return l.queue.left()
	}
	missing := l.ids.Len() - l.met.Len()
	for i := range l.ids.Len() {
		if missing > 0 && !l.met.Has(int64(i)) {
			return errForeign(missing, l.ids.Append(nil, i))
		}
	}
	return nil
}

// errForeign is of a list with some ids of no record, such as this one.
func errForeign(missing int, id []byte) error {
	err := fmt.Errorf("%s of the list %s not among the records, such as %q", wording.Number(missing, "id"), wording.Are(missing), id)
	return wording.WithHint(err, "ids are numbers from 0 unless --id or -H is given; --partial takes a list of more records than these")
}
