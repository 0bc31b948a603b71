package write

import (
	"fmt"
	"io"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
)

// converted writes each record as a JSON object: in lines, in an array, or in a file of another
// format.
type converted struct {
	outputs
	sizer *sizer
	form  dataform.Form
	to    *Format // nil for objects in lines or in an array
	like  []byte  // the argument of Sink.Like, or nil

	out   LineWriter
	wrote bool   // the open output has a record
	buf   []byte // scratch for an object
	cut   []byte // scratch for a line without its cut parts

	fields map[int]*learner // by input, the fields of its records, for output of the format without records
	input  int              // the input of the latest batch that learn has seen
}

func (s *Sink) newConverted(to *Format) *converted {
	c := &converted{outputs: outputs{rd: s.rd, w: s.w, next: s.next}, sizer: s.sizer, form: s.form, to: to, like: s.like}
	c.outputs.begin, c.outputs.finish = c.begin, c.finish
	return c
}

// begin prepares w for its first record.
func (c *converted) begin(w io.Writer) error {
	c.wrote = false
	switch {
	case c.to != nil:
		if c.out = c.to.Writer(w, c.form.Packing); c.like != nil {
			return c.out.Learn(c.like)
		}
	case c.form.Array:
		array := &arrayWriter{w: w}
		c.out = &objectLines{array, array.finish}
	default:
		c.out = &objectLines{w, func() error { return nil }}
	}
	return nil
}

// objectLines is a LineWriter that writes the objects as lines.
type objectLines struct {
	w   io.Writer
	end func() error
}

func (o *objectLines) Learn([]byte) error { return nil }

func (o *objectLines) WriteLine(line []byte) error {
	_, err := o.w.Write(line)
	if err == nil {
		_, err = o.w.Write(lineEnd)
	}
	return err
}

func (o *objectLines) Close() error { return o.end() }

func (c *converted) Gather(rec *record.Record, size int64) error {
	if err := c.open(rec.Ordinal); err != nil {
		return err
	}
	times := int64(1)
	if c.sizer != nil {
		times = c.sizer.times(size)
	}
	for range times {
		line, err := c.object(rec.Raw, size)
		if err != nil {
			return rec.At(err)
		}
		c.wrote = true
		if err := c.out.WriteLine(line); err != nil {
			return err
		}
	}
	return nil
}

// object returns the JSON object that is written for a line of the input.
func (c *converted) object(line []byte, size int64) (_ []byte, err error) {
	if t := c.rd.Table(); t != nil {
		if c.buf, err = t.AppendObject(c.buf[:0], line); err != nil {
			return nil, err
		}
		line = c.buf
	}
	if c.sizer.addsField() {
		return c.sizer.extendObject(line, size)
	}
	return line, nil
}

func (c *converted) Check(rec *record.Record) error {
	if !c.sizer.addsField() {
		return nil
	}
	if _, err := c.object(rec.Raw, 1); err != nil {
		return rec.At(err)
	}
	return nil
}

func (c *converted) Cut(cutter *Cutter, rec *record.Record, parts []Range) (err error) {
	if c.cut, err = cutter.Cut(c.cut[:0], rec, parts); err != nil {
		return rec.At(err)
	}
	rec.Raw = c.cut
	return c.Gather(rec, 1)
}

func (c *converted) Flush() error { return nil } // Gather holds no record back

// A learner collects the fields of records, for output in which no record is kept.
type learner struct {
	rows LineWriter
	to   laterWriter // where rows writes
}

// A laterWriter is a writer whose destination is set later.
type laterWriter struct{ io.Writer }

// learn collects the fields of the records of a batch that was read. The batches must be passed in
// reading order, each after its kept records.
func (c *converted) learn(b *record.Batch) {
	if c.to == nil || len(b.Records) == 0 {
		return
	}
	if c.next != nil {
		for {
			after, ok := c.rd.Opened(c.input + 1)
			if !ok || after.First > b.Records[0].Ordinal {
				break
			}
			c.input++
		}
	}
	if c.wrote && (c.next == nil || c.input == c.opened-1) {
		return
	}
	l := c.learnerOf(c.input)
	for i := range b.Records {
		rec := &b.Records[i]
		if rec.Err != nil {
			continue
		}
		// A record that cannot be converted was not kept, so its fault is not one of the run.
		if line, err := c.object(rec.Raw, 1); err == nil {
			l.rows.Learn(line)
		}
	}
}

// learnerOf returns the learner of the n-th input, or of all inputs if n is 0 and there is only one
// output.
func (c *converted) learnerOf(n int) *learner {
	l := c.fields[n]
	if l == nil {
		l = new(learner)
		l.rows = c.to.Writer(&l.to, c.form.Packing)
		if c.fields == nil {
			c.fields = map[int]*learner{}
		}
		c.fields[n] = l
	}
	return l
}

// finish writes the rest of the open output. If an output of another format has no records, it has
// the fields of the records that were read or, for a table without rows, those of the header.
func (c *converted) finish() error {
	if c.to == nil {
		return c.out.Close()
	}
	n := max(c.opened-1, 0)
	if t := c.rd.Table(); !c.wrote && c.fields[n] == nil && t != nil {
		if line, err := c.object(t.EmptyRow(), 1); err == nil {
			c.learnerOf(n).rows.Learn(line)
		}
	}
	rows := c.out
	if l := c.fields[n]; l != nil && !c.wrote {
		rows, l.to.Writer = l.rows, c.w
		if c.like != nil {
			if err := rows.Learn(c.like); err != nil {
				return err
			}
		}
	}
	delete(c.fields, n)
	err := rows.Close()
	if in, ok := c.rd.Opened(n); err != nil && !c.wrote && ok {
		err = fmt.Errorf("%s: %w", in.Name, err)
	}
	return err
}
