package keepdrop

import (
	"cmp"
	"fmt"
	"slices"

	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/wording"
)

// A partCutter takes the parts that are dropped out of their records, and keeps
// all records but those that are dropped whole.
//
// Of a list of passages the parts that are dropped touch, where the evidence of one
// ends, and then they are cut as one: only their outer ends are known to be between
// letters. Those that are kept may lie anywhere.
type partCutter struct {
	keeper  *keeper
	records ids.Table
	parts   [][]part // by number of the record, ascending
	gaps    gaps
	id      []byte
}

// A part is one that the list names.
type part struct {
	record.Range
	number uint32 // of its id
}

func newPartCutter(k *keeper) *partCutter {
	c := &partCutter{keeper: k}
	for n := range k.list.ids.Len() {
		c.add(uint32(n))
	}
	return c
}

// add adds a part that the list names to those of its record.
func (c *partCutter) add(n uint32) {
	owner, start, end, isPart := ids.CutPart(c.keeper.list.id(n))
	if !isPart {
		return
	}
	at := int(c.records.Intern(owner))
	if at == len(c.parts) {
		c.parts = append(c.parts, nil)
	}
	c.parts[at] = append(c.parts[at], part{record.Range{Start: start, End: end}, n})
}

// record passes a record to the sink, without its parts that are dropped.
func (c *partCutter) record(rec *record.Record) error {
	key := c.keeper.key(rec)
	if err := ids.CheckWhole(key); err != nil {
		return rec.At(err)
	}
	var parts []part
	if n, ok := c.records.Lookup(key); ok {
		parts = c.parts[n]
	}
	if gone, err := c.whole(rec, key, parts); gone || err != nil {
		return err
	}
	if err := c.collect(rec, parts); err != nil {
		return rec.At(err)
	}
	return c.keeper.keepCut(rec, c.gaps)
}

// keepCut passes a record to the sink, without what is cut.
func (k *keeper) keepCut(rec *record.Record, g gaps) error {
	k.kept++
	if len(g) == 0 {
		return k.sink.Keep(rec)
	}
	k.cut++
	return k.sink.KeepCut(k.cutter, rec, g)
}

// whole drops a record whole if the list says so; its parts were met then.
func (c *partCutter) whole(rec *record.Record, key []byte, parts []part) (gone bool, err error) {
	n, listed, drop := c.keeper.list.find(key)
	if !listed {
		return false, nil
	}
	if err := c.keeper.audit.note(rec.ID, rec.Text, n, true, drop); err != nil || !drop {
		return false, err
	}
	for _, p := range parts {
		c.keeper.list.met.Add(int64(p.number))
	}
	c.keeper.dropped++
	return true, nil
}

// collect takes the parts of a record that are dropped.
func (c *partCutter) collect(rec *record.Record, parts []part) error {
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.Start, b.Start) })
	c.gaps = c.gaps[:0]
	for _, p := range parts {
		if err := c.note(rec, p); err != nil {
			return err
		}
	}
	return nil
}

// note tells the list and the audit of a part, and drops it if it is to be.
func (c *partCutter) note(rec *record.Record, p part) error {
	l := c.keeper.list
	l.met.Add(int64(p.number))
	drop := l.drops.Has(int64(p.number))
	if p.End > len(rec.Text) || drop && !c.gaps.add(p.Range) {
		return errParts(len(rec.Text), p.Range)
	}
	c.id = ids.AppendPart(c.id[:0], rec.ID, p.Start, p.End)
	return c.keeper.audit.note(c.id, rec.Text[p.Start:p.End], p.number, true, drop)
}

// gaps are what is cut out of a text, ascending; none touch.
type gaps []record.Range

// add adds what is cut, unless it overlaps with what is cut before it.
func (g *gaps) add(r record.Range) bool {
	last := len(*g) - 1
	switch {
	case last < 0 || (*g)[last].End < r.Start:
		*g = append(*g, r)
	case (*g)[last].End == r.Start:
		(*g)[last].End = r.End
	default:
		return false
	}
	return true
}

// errParts refuses a list of other texts.
func errParts(size int, p record.Range) error {
	return fmt.Errorf("parts of a text of %s overlap or end at byte %d: it was split otherwise", wording.Number(size, "byte"), p.End)
}
