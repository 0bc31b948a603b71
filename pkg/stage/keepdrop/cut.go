package keepdrop

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/rule"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/write"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/text/utf"
	"doppel/pkg/tool"
)

// A cutter cuts the dropped parts out of their records. It drops a record only if a decision drops
// the whole record, or if too little of its text is left.
//
// Dropped passages that touch are cut as one range, because the boundary between them may be
// inside a character. Kept parts may overlap other parts.
type cutter struct {
	*keeper
	cutter  *write.Cutter
	records ids.Table     // ids of the records with parts in the list
	parts   [][]part      // parts in the list, by id number of the record
	gaps    []write.Range // ranges to cut from the current record, in ascending order and not adjacent
	id      []byte

	bytes, gone int64 // bytes: total size of the texts; gone: total size of the cut and dropped text
}

// A part is a range of a record's text that the list names by an id.
type part struct {
	write.Range
	number uint32 // id number of the part in the list
}

// cutRecords writes the records to the sink, without their dropped parts.
func (o *Options) cutRecords(c *cutter, rd *record.Reader) (err error) {
	k := c.keeper
	if c.cutter, err = write.NewCutter(k.e.Records); err != nil {
		return tool.UsageError("--cut: %v", err)
	}
	for n := range uint32(k.list.ids.Len()) {
		owner, start, end, isPart := ids.CutPart(k.list.id(n))
		if !isPart {
			continue
		}
		at := int(c.records.Intern(owner))
		if at == len(c.parts) {
			c.parts = append(c.parts, nil)
		}
		c.parts[at] = append(c.parts[at], part{write.Range{Start: start, End: end}, n})
	}
	decide := c.byTable
	if o.Ordered {
		decide = c.byQueue
	}
	err = tool.EachRecord(k.e, rd, func(rec *record.Record) error {
		key := k.listID(rec)
		if err := ids.CheckWhole(key); err != nil {
			return rec.At(err)
		}
		c.gaps = c.gaps[:0]
		whole, err := decide(rec, key)
		if err != nil {
			return err
		}
		c.bytes += int64(len(rec.Text))
		if whole {
			c.gone += int64(len(rec.Text))
			k.dropped++
			return nil
		}
		if len(c.gaps) == 0 && !rec.IsRow() { // KeepCut refuses even the first row of a table
			k.kept++
			return k.sink.Keep(rec)
		}
		left := len(rec.Text)
		for _, g := range c.gaps {
			left -= g.End - g.Start
		}
		c.gone += int64(len(rec.Text) - left)
		if o.MinLeft.Short(left, len(rec.Text)) {
			c.gone += int64(left)
			k.dropped++
			return k.audit.addEntry(rec.ID, rec.Text, 0, removed|short)
		}
		k.kept++
		k.cut++
		return k.sink.KeepCut(c.cutter, rec, c.gaps)
	})
	c.noteMuchCut()
	return err
}

// noteMuchCut prints a note if more than half of all text is cut. The note states the unit of the
// passage length, because too much is cut if the user means words but the length is in bytes.
func (c *cutter) noteMuchCut() {
	if c.gone <= c.bytes/2 {
		return
	}
	switch share, n := 100*c.gone/c.bytes, c.list.least; c.list.unit {
	case rule.Passage:
		c.e.Note("%d %% of all text is cut, in passages of %v bytes or more; to cut passages of words, give --length w%v", share, n, n)
	case rule.Words:
		c.e.Note("%d %% of all text is cut, in passages of %v words or more", share, n)
	}
}

// byTable applies the list in memory to a record and its parts. It reports whether the whole
// record is dropped, in which case its parts in the list still count as found.
func (c *cutter) byTable(rec *record.Record, key []byte) (whole bool, err error) {
	var parts []part
	if n, ok := c.records.Lookup(key); ok {
		parts = c.parts[n]
		slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.Start, b.Start) })
	}
	l := c.list
	if n, listed, drop := l.lookUp(key); listed {
		whole = drop
		if err := c.audit.addIfNeeded(rec.ID, rec.Text, n, true, drop); err != nil {
			return whole, err
		}
	}
	for i, p := range parts {
		l.found.Add(int64(p.number))
		if whole {
			continue
		}
		drop := l.drops.Has(int64(p.number))
		if err := c.cutPart(rec, p.Range, drop); err != nil {
			return false, err
		}
		c.id = ids.AppendPart(c.id[:0], rec.ID, p.Start, p.End)
		// A character that two dropped parts share is written with the second one, since neither half
		// can be written in JSON.
		start, end := p.Start, p.End
		if i > 0 && drop && parts[i-1].End == start && l.drops.Has(int64(parts[i-1].number)) {
			start = utf.Start(rec.Text, start)
		}
		if i+1 < len(parts) && drop && parts[i+1].Start == end && end < len(rec.Text) && l.drops.Has(int64(parts[i+1].number)) {
			end = utf.Start(rec.Text, end)
		}
		if err := c.audit.addIfNeeded(c.id, rec.Text[start:end], p.number, true, drop); err != nil {
			return false, rec.At(err)
		}
	}
	return whole, nil
}

// noteOld adds to the audit the parts of an old record in favour of which other parts are dropped.
func (c *cutter) noteOld(rec *record.Record) error {
	n, ok := c.records.Lookup(rec.ID)
	if !ok {
		return nil
	}
	for _, p := range c.parts[n] {
		if err := c.cutPart(rec, p.Range, false); err != nil {
			return err
		}
		c.id = ids.AppendPart(c.id[:0], rec.ID, p.Start, p.End)
		if err := c.audit.addIfNeeded(c.id, rec.Text[p.Start:p.End], p.number, true, false); err != nil {
			return err
		}
	}
	return nil
}

// byQueue applies the next decisions in the queue, up to the last one on this record. It reports
// whether the whole record is dropped.
func (c *cutter) byQueue(rec *record.Record, key []byte) (whole bool, err error) {
	for q := c.list.queue; q.more && bytes.Equal(q.owner, key); {
		c.list.noteBound(q.d.Rule)
		if !q.isPart {
			whole = true
		} else if err := c.cutPart(rec, q.part, true); err != nil {
			return whole, err
		}
		if err := q.advance(); err != nil {
			return whole, err
		}
	}
	return whole, nil
}

// cutPart adds a part of a record to the gaps if the part is dropped. It returns an error if the
// part ends after the text, or if a dropped part overlaps the previous one.
func (c *cutter) cutPart(rec *record.Record, p write.Range, drop bool) error {
	last := len(c.gaps) - 1
	switch {
	case p.End > len(rec.Text) || drop && last >= 0 && p.Start < c.gaps[last].End:
		return rec.At(fmt.Errorf("parts of a text of %s overlap or end at byte %d: the text was split in another way", msg.Number(len(rec.Text), "byte"), p.End))
	case !drop:
	case last >= 0 && p.Start == c.gaps[last].End:
		c.gaps[last].End = p.End
	default:
		c.gaps = append(c.gaps, p)
	}
	return nil
}

// A queue holds only the next decision to drop, so that a list in the order of the records need not
// be held in memory. When passages are cut, there are more decisions than records, and the
// decisions on a gigabyte of text take up to a gigabyte.
type queue struct {
	rd     *record.Reader
	batch  record.Batch
	at     int           // index of the next record in the batch
	more   bool          // d is valid; false at the end of the list
	d      line.Decision // the next decision to drop
	owner  []byte        // the record's id in d.ID
	part   write.Range   // the part that d.ID names, if isPart is set
	isPart bool
}

// advance reads up to the next decision to drop, or to the end of the list.
func (q *queue) advance() error {
	for {
		if q.at == len(q.batch.Records) {
			err := q.rd.Next(&q.batch)
			if q.more = err == nil; err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			q.at = 0
			continue
		}
		rec := &q.batch.Records[q.at]
		q.at++
		if err := q.d.Parse(rec.Raw); err != nil {
			return lineio.At(rec, err)
		}
		if q.d.Verdict == line.Drop {
			q.owner, q.part.Start, q.part.End, q.isPart = ids.CutPart(q.d.ID)
			q.more = true
			return nil
		}
	}
}
