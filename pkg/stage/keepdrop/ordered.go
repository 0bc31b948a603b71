package keepdrop

import (
	"bytes"
	"fmt"
	"io"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// A list in the order of the records need not be held: it is read as they are. Of
// a dataset of which passages are cut there are more decisions than records, and to
// hold those of a gigabyte takes most of one.

// applyOrdered cuts by a list in the order of the records.
func (o *Options) applyOrdered(e *tool.Env, operands []string) error {
	q, err := openQueue(e, o.Decisions)
	if err != nil {
		return err
	}
	rd, err := record.NewReader(e.Input(operands), e.Records)
	if err != nil {
		return err
	}
	cutter, err := record.NewCutter(e.Records)
	if err != nil {
		return tool.UsageError("--cut: %v", err)
	}
	sink, err := e.Sink(rd, "")
	if err != nil {
		return err
	}
	k := &keeper{e: e, list: &list{ordinals: o.Ordinals}, sink: sink}
	c := &orderedCutting{keeper: k, cutter: cutter, queue: q}
	if err := tool.EachRecord(e, rd, c.record); err != nil {
		return err
	}
	if q.more {
		err := fmt.Errorf("the list has a decision on %q, which no record behind that before it is", q.d.ID)
		if err := e.Skip(wording.WithHint(err, "without --ordered it may be in any order")); err != nil {
			return err
		}
	}
	if err := k.sink.Close(); err != nil {
		return err
	}
	return e.WriteStats(o.Stats, k.counts())
}

// An orderedCutting cuts records by the decisions that come with them.
type orderedCutting struct {
	keeper *keeper
	cutter *record.Cutter
	queue  *queue
	gaps   gaps
}

// record passes a record to the sink, without its parts that are dropped.
func (c *orderedCutting) record(rec *record.Record) error {
	whole, err := c.collect(rec)
	if err != nil {
		return err
	}
	if whole {
		c.keeper.dropped++
		return nil
	}
	return c.keeper.keepCut(c.cutter, rec, c.gaps)
}

// collect takes the decisions on a record, which goes whole if one says so.
func (c *orderedCutting) collect(rec *record.Record) (whole bool, err error) {
	key, q := c.keeper.key(rec), c.queue
	c.gaps = c.gaps[:0]
	for q.more && bytes.Equal(q.owner, key) {
		if !q.isPart {
			whole = true
		} else if q.part.End > len(rec.Text) || !c.gaps.add(q.part) {
			return whole, misfit(rec, errParts(len(rec.Text), q.part))
		}
		if err := q.advance(); err != nil {
			return whole, err
		}
	}
	return whole, nil
}

// misfit is an error of a record, or a line of the list, with its place.
func misfit(rec *record.Record, err error) error {
	return &record.SyntaxError{Name: rec.Name, Line: rec.Line, Err: err}
}

// A queue is the decisions to drop of a list, the first of them at hand.
type queue struct {
	rd     *record.Reader
	batch  record.Batch
	at     int // in the batch
	more   bool
	d      line.Decision
	owner  []byte
	part   record.Range
	isPart bool
}

func openQueue(e *tool.Env, name string) (*queue, error) {
	rd, err := record.NewReader(e.Input([]string{name}), record.Options{Lines: true})
	if err != nil {
		return nil, err
	}
	q := &queue{rd: rd}
	return q, q.advance()
}

// advance goes to the next decision to drop.
func (q *queue) advance() error {
	for {
		rec, err := q.line()
		if q.more = err == nil; err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := q.d.Parse(rec.Raw); err != nil {
			return misfit(rec, err)
		}
		if q.d.Verdict == line.Drop {
			q.owner, q.part.Start, q.part.End, q.isPart = ids.CutPart(q.d.ID)
			return nil
		}
	}
}

// line returns the next line, or io.EOF. It is good until the next call.
func (q *queue) line() (*record.Record, error) {
	for q.at == len(q.batch.Records) {
		if err := q.rd.Next(&q.batch); err != nil {
			return nil, err
		}
		q.at = 0
	}
	q.at++
	return &q.batch.Records[q.at-1], nil
}
