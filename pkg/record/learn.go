package record

import (
	"bytes"
	"fmt"
	"io"
)

// A learner collects the fields of records, for Parquet output in which no record is kept.
type learner struct {
	rows LineWriter
	to   laterWriter // where rows writes
}

// A laterWriter is a writer whose destination is set later.
type laterWriter struct{ io.Writer }

// LearnFields tells the sink which records were read. The caller passes all batches in reading
// order, each after it has passed the kept records of the batch to the sink. If the sink converts
// lines to Parquet and writes no row, the columns are the fields of the records that were read.
func (r *Reader) LearnFields(b *Batch) {
	if s := r.sink; s != nil && s.kind == "parquet" && r.format == nil && len(b.Records) > 0 {
		s.learn(b)
	}
}

func (s *Sink) learn(b *Batch) {
	if s.next != nil {
		for {
			after, ok := s.rd.input(s.input + 1)
			if !ok || after.first > b.Records[0].Ordinal {
				break
			}
			s.input++
		}
	}
	if s.wrote && (s.next == nil || s.input == s.opened-1) {
		return
	}
	l := s.learnerOf(s.input)
	for i := range b.Records {
		rec := &b.Records[i]
		if rec.Err != nil {
			continue
		}
		// A record that cannot be converted was not kept, so its fault is not one of the run.
		if line, err := s.objectOf(rec.Raw); err == nil {
			l.rows.Learn(line)
		}
	}
}

// learnerOf returns the learner of the n-th input, or of all inputs if n is 0 and there is only one
// output.
func (s *Sink) learnerOf(n int) *learner {
	l := s.fields[n]
	if l == nil {
		l = new(learner)
		l.rows = byMagic(parquetMagic).Writer(&l.to, s.form.Packing)
		if s.fields == nil {
			s.fields = map[int]*learner{}
		}
		s.fields[n] = l
	}
	return l
}

// objectOf returns the JSON object that is written for a line.
func (s *Sink) objectOf(line []byte) (_ []byte, err error) {
	if t := s.rd.table; t != nil {
		if s.buf, err = t.appendObject(s.buf[:0], line); err != nil {
			return nil, err
		}
		line = s.buf
	}
	if s.sizer.addsField() {
		return s.sizer.extendObject(line, 1)
	}
	return line, nil
}

// finishRows writes the Parquet file of the open output. If it has no rows, it has the fields of the
// records that were read or, for a table without rows, those of the header.
func (s *Sink) finishRows() error {
	n := max(s.opened-1, 0)
	rows := s.rows
	if t := s.rd.table; !s.wrote && s.fields[n] == nil && t != nil {
		if line, err := s.objectOf(bytes.Repeat([]byte{t.comma}, len(t.names)-1)); err == nil {
			s.learnerOf(n).rows.Learn(line)
		}
	}
	if l := s.fields[n]; l != nil && !s.wrote {
		rows, l.to.Writer = l.rows, s.w
		if s.like != nil {
			if err := rows.Learn(s.like); err != nil {
				return err
			}
		}
	}
	delete(s.fields, n)
	err := rows.Close()
	if in, ok := s.rd.input(n); err != nil && !s.wrote && ok {
		err = fmt.Errorf("%s: %w", in.name, err)
	}
	return err
}
