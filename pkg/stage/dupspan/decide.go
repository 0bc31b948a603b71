package dupspan

import (
	"errors"
	"fmt"

	"doppel/pkg/par"
	"doppel/pkg/passage"
	"doppel/pkg/passage/corpus"
	"doppel/pkg/passage/span"
	"doppel/pkg/record/write"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
)

// decide reads the records again, together with the repeats found in them, and writes the
// decisions.
func (o *Options) decide(e *tool.Env, d *data, f *corpus.Finder, s passage.Scheme) error {
	cutter, err := span.NewCutter(o.cutting(s))
	if err != nil {
		return err
	}
	d.wanted = f.Wanted
	next, stop := pulled(func(emit func(passage.Repeat) error) error { return f.Find(d.open, emit) })
	defer stop()
	w := &writer{e: e, data: d, format: lineio.Format(e), scheme: s, options: o}
	c := &cuts{data: d, cutter: cutter, least: o.MinLeft, pull: next, against: len(o.Against) > 0, emit: w.verdict}
	if err := c.advance(); err != nil {
		return err
	}
	if err := d.endFirstReading(); err != nil {
		return err
	}
	if c.record = d.reference(); s.Unit == passage.Bytes || !o.namesKept() {
		return c.read(e)
	}
	b := backlog{locator: f.NewLocator()}
	c.emit = b.add
	if err = c.read(e); err == nil {
		err = b.each(d.open, w.verdict)
	}
	return errors.Join(err, b.locator.Close(), b.verdicts.Close())
}

// A cuts value reads the records together with the repeats in them, and emits the verdicts on each
// record.
type cuts struct {
	data    *data
	cutter  *span.Cutter
	least   write.MinLeft
	pull    func() (passage.Repeat, bool, error) // returns the next repeat; false at the end
	next    passage.Repeat                       // next repeat, unless all have been read
	more    bool
	against bool             // ignore repeats whose first copy is not in an old record
	record  int              // number of the next record
	list    []passage.Repeat // repeats in the current record
	emit    func(verdict) error
}

// advance goes to the next repeat in a record of the input. With --against, it skips repeats whose
// first copy is not in an old record.
func (c *cuts) advance() (err error) {
	for {
		if c.next, c.more, err = c.pull(); err != nil || !c.more {
			return err
		}
		r := &c.next
		mine, theirs := r.Record >= c.data.reference(), r.From < c.data.reference()
		if mine && (theirs || !c.against) {
			return nil
		}
	}
}

func (c *cuts) read(e *tool.Env) error {
	type textBatch struct {
		corpus.Batch
		texts [][]byte
		err   error
	}
	worker := func() func(corpus.Batch) textBatch {
		return func(b corpus.Batch) textBatch {
			texts, err := b.Texts()
			return textBatch{b, texts, err}
		}
	}
	err := par.Ordered(e.Jobs, c.data.pass(own, numParts).next, worker, func(b textBatch) error {
		if b.err != nil {
			return b.err
		}
		defer b.Done()
		for _, text := range b.texts {
			if err := c.text(text); err != nil {
				return err
			}
			c.record++
		}
		return nil
	})
	if err == nil && c.more {
		err = fmt.Errorf("the records changed while they were read: no record %d", c.next.Record)
	}
	return err
}

func (c *cuts) text(text []byte) error {
	c.list = c.list[:0]
	for c.more && c.next.Record == c.record {
		c.list = append(c.list, c.next)
		if err := c.advance(); err != nil {
			return err
		}
	}
	if len(c.list) == 0 {
		return nil
	}
	cuts, err := c.cutter.Cuts(text, c.list)
	if err != nil {
		return fmt.Errorf("record %s: %w", c.data.appendID(nil, c.record), err)
	}
	if left := len(text) - cuts.Bytes; len(cuts.Cuts) > 0 && c.least.Short(left, len(text)) {
		return c.emit(verdict{record: c.record, whole: true, left: left})
	}
	for _, cut := range cuts.Cuts {
		for _, p := range cut.Pieces {
			if err := c.emit(verdict{record: c.record, Piece: p}); err != nil {
				return err
			}
		}
	}
	return nil
}
