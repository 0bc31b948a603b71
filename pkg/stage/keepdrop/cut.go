package keepdrop

import (
	"cmp"
	"fmt"
	"slices"

	"doppel/pkg/ids"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// A cutting takes the parts that are dropped out of their records, and keeps
// all records.
type cutting struct {
	keeper  *keeper
	cutter  *record.Cutter
	records ids.Table
	parts   [][]part // by number of the record, ascending
	ranges  []record.Range
	raw, id []byte
}

// A part is one that the list names.
type part struct {
	record.Range
	number uint32 // of its id
}

func newCutting(k *keeper, opt record.Options) (*cutting, error) {
	if k.list.inverse {
		return nil, tool.UsageError("--cut takes parts to drop, not --keep")
	}
	cutter, err := record.NewCutter(opt)
	if err != nil {
		return nil, tool.UsageError("--cut: %v", err)
	}
	c := &cutting{keeper: k, cutter: cutter}
	for n := range k.list.ids.Len() {
		id := k.list.ids.Append(nil, n)
		owner, start, end, ok := ids.CutPart(id)
		if !ok {
			return nil, fmt.Errorf("id %q of the list is not of a part, as in 17#0-80", id)
		}
		at := int(c.records.Intern(owner))
		if at == len(c.parts) {
			c.parts = append(c.parts, nil)
		}
		c.parts[at] = append(c.parts[at], part{record.Range{Start: start, End: end}, uint32(n)})
	}
	return c, nil
}

// cutRecords passes all records to the sink, without the parts that are dropped.
func cutRecords(e *tool.Env, rd *record.Reader, k *keeper, sink *record.Sink) error {
	c, err := newCutting(k, e.Records)
	if err != nil {
		return err
	}
	return tool.EachRecord(e, rd, func(rec *record.Record) error {
		if err := c.record(rec); err != nil {
			return err
		}
		return sink.Keep(rec)
	})
}

func (c *cutting) record(rec *record.Record) error {
	if n, ok := c.records.Lookup(rec.ID); ok {
		if err := c.cut(rec, c.parts[n]); err != nil {
			return &record.SyntaxError{Name: rec.Name, Line: rec.Line, Err: err}
		}
	}
	c.keeper.kept++
	return nil
}

// cut takes the parts that are dropped out of a record.
func (c *cutting) cut(rec *record.Record, parts []part) (err error) {
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.Start, b.Start) })
	c.ranges = c.ranges[:0]
	end := 0
	for _, p := range parts {
		if p.Start < end || p.End > len(rec.Text) {
			return fmt.Errorf("parts of a text of %d bytes overlap or end at byte %d: it was split otherwise", len(rec.Text), p.End)
		}
		end = p.End
		if err := c.note(rec, p); err != nil {
			return err
		}
	}
	if len(c.ranges) == 0 {
		return nil
	}
	c.raw, err = c.cutter.Cut(c.raw[:0], rec, c.ranges)
	rec.Raw = c.raw
	return err
}

// note tells the list and the audit of a part, and drops it if it is to be.
func (c *cutting) note(rec *record.Record, p part) error {
	c.id = c.keeper.list.ids.Append(c.id[:0], int(p.number))
	_, _, drop := c.keeper.list.find(c.id)
	if drop {
		c.ranges = append(c.ranges, p.Range)
	}
	return c.keeper.audit.note(&record.Record{ID: c.id, Text: rec.Text[p.Start:p.End]}, p.number, true, drop)
}
