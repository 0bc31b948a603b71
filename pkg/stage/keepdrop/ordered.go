package keepdrop

import (
	"bytes"
	"fmt"
	"io"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/record"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// A list in the order of the records need not be held: it is read as they are. Of
// a dataset of which passages are cut there are more decisions than records, and to
// hold those of a gigabyte takes most of one.

// An orderedCutter cuts records by the decisions that come with them.
type orderedCutter struct {
	keeper *keeper
	queue  *queue
	gaps   gaps
}

// record passes a record to the sink, without its parts that are dropped.
func (c *orderedCutter) record(rec *record.Record) error {
	whole, err := c.collect(rec)
	if err != nil {
		return err
	}
	if whole {
		c.keeper.dropped++
		return nil
	}
	return c.keeper.keepCut(rec, c.gaps)
}

// collect takes the decisions on a record, which goes whole if one says so.
func (c *orderedCutter) collect(rec *record.Record) (whole bool, err error) {
	key, q := c.keeper.key(rec), c.queue
	if err := ids.CheckWhole(key); err != nil {
		return false, rec.At(err)
	}
	c.gaps = c.gaps[:0]
	for q.more && bytes.Equal(q.owner, key) {
		if !q.isPart {
			whole = true
		} else if q.part.End > len(rec.Text) || !c.gaps.add(q.part) {
			return whole, rec.At(errParts(len(rec.Text), q.part))
		}
		if err := q.advance(); err != nil {
			return whole, err
		}
	}
	return whole, nil
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
	rd, err := lines.Open(e, []string{name})
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
			return rec.At(err)
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

// left returns an error if there are decisions that no record was met for.
func (q *queue) left() error {
	if !q.more {
		return nil
	}
	err := fmt.Errorf("the list has a decision on %q, which no record behind that before it is", q.d.ID)
	return wording.WithHint(err, "without --ordered it may be in any order")
}
