package record

import (
	"errors"
	"fmt"
	"io"

	"doppel/pkg/record/dataform"
	"doppel/pkg/record/ordinals"
)

// A Sink writes the records that are kept, in the form that is asked for: lines
// as they came; Parquet by a second pass over the files at Close, when it is
// known which rows are kept; and from one form to the other.
type Sink struct {
	rd   *Reader
	w    io.Writer
	form dataform.Form
	kind string // that is written; "" until the first input is known
	run  []byte // what was gathered, without the last line end
	open bool   // something was gathered, if only an empty line
	kept ordinals.Set
	cuts *Cuts      // of what is kept, where records are copied at the end
	rows LineWriter // of Parquet that is made of lines
	buf  []byte
	cut  []byte // a line without parts of it

	second second // the pass that copies what is kept

	headed bool   // the header of a table is written
	like   []byte // an object with the columns that Parquet has even if no line comes
}

// Like gives Parquet that is made of lines the columns of an object, beside those
// that the lines have. It is called before the first record.
func (s *Sink) Like(object []byte) { s.like = object }

// NewSink returns a sink for records of rd. If they cannot be written in that
// form, rd says so before it reads the first.
func NewSink(rd *Reader, w io.Writer, form dataform.Form) *Sink {
	s := &Sink{rd: rd, w: w, form: form}
	rd.sink, rd.paths.copied = s, true
	return s
}

// settle decides how records of the form of the input are written.
func (s *Sink) settle() (err error) {
	s.expectSecond()
	if s.kind, err = s.form.Made(s.rd.kind()); err != nil || s.kind == s.rd.kind() {
		return err
	}
	if s.kind == "parquet" {
		f := byMagic([]byte("PAR1"))
		if f == nil {
			return errors.New("this program writes no Parquet")
		}
		if s.rows = f.Writer(s.w, s.form.Packing); s.like != nil {
			err = s.rows.Learn(s.like)
		}
	}
	return err
}

// Keep writes a record. Records come in the order of reading.
func (s *Sink) Keep(rec *Record) error {
	if err := s.Gather(rec); err != nil {
		return err
	}
	return s.Flush()
}

// KeepCut is Keep for a record without parts of its text, which are ascending and do
// not overlap. What cannot be cut is a [SyntaxError].
func (s *Sink) KeepCut(c *Cutter, rec *Record, parts []Range) (err error) {
	if s.rd.format != nil {
		return s.keepCut(rec, parts)
	}
	if s.cut, err = c.Cut(s.cut[:0], rec, parts); err != nil {
		return rec.At(err)
	}
	rec.Raw = s.cut
	return s.Keep(rec)
}

// keepCut notes what is cut when the record is copied.
func (s *Sink) keepCut(rec *Record, parts []Range) error {
	err := checkParts(rec, parts)
	if len(s.rd.opt.Fields) != 1 {
		err = errNoField
	}
	if err != nil {
		return rec.At(err)
	}
	if s.cuts == nil {
		s.cuts = &Cuts{Field: s.rd.opt.Fields[0]}
	}
	s.kept.Add(rec.Ordinal)
	return s.cuts.add(rec.Ordinal, parts)
}

var errNoField = errors.New("parts are cut out of a field, not of a whole row")

// Gather is Keep for records whose bytes stay as they are until Flush: lines
// that follow each other in memory are written at once.
func (s *Sink) Gather(rec *Record) error {
	if s.rd.format != nil {
		s.kept.Add(rec.Ordinal)
		return nil
	}
	if s.rd.table != nil {
		return s.row(rec)
	}
	if s.rows != nil {
		return s.rows.WriteLine(rec.Raw)
	}
	if s.extend(rec.Raw) {
		return nil
	}
	err := s.Flush()
	s.run, s.open = rec.Raw, true
	return err
}

// row writes a row of a table, behind the header, or as an object.
func (s *Sink) row(rec *Record) (err error) {
	if s.kind == s.rd.kind() {
		if err = s.header(); err == nil {
			s.run, s.open = rec.Raw, true
			err = s.Flush()
		}
		return err
	}
	if s.buf, err = s.rd.table.appendObject(s.buf[:0], rec.Raw); err != nil {
		return fmt.Errorf("record %d: %w", rec.Ordinal, err)
	}
	if s.rows != nil {
		return s.rows.WriteLine(s.buf)
	}
	_, err = s.w.Write(append(s.buf, '\n'))
	return err
}

// header writes the header of a table once.
func (s *Sink) header() (err error) {
	if t := s.rd.table; !s.headed && t.header != nil {
		s.headed = true
		_, err = s.w.Write(append(t.header, '\n'))
	}
	return err
}

// extend adds a line to the run if it is what follows it in memory.
func (s *Sink) extend(line []byte) bool {
	n := len(s.run) + len(lineEnd)
	if len(s.run) == 0 || len(line) == 0 || n+len(line) > cap(s.run) {
		return false
	}
	longer := s.run[:n+len(line)]
	if longer[n-1] != lineEnd[0] || &longer[n] != &line[0] {
		return false
	}
	s.run = longer
	return true
}

// Flush writes what was gathered.
func (s *Sink) Flush() error {
	if !s.open {
		return nil
	}
	_, err := s.w.Write(s.run)
	if err == nil {
		_, err = s.w.Write(lineEnd)
	}
	s.run, s.open = nil, false
	return err
}

var lineEnd = []byte{'\n'}

// Lines reports whether the records read so far are written as the lines that
// they came as.
func (s *Sink) Lines() bool { return s.rd.kind() == "jsonl" && s.rows == nil }

// FromLines reports whether the records read so far came as lines of JSON, or plain.
func (s *Sink) FromLines() bool { return s.rd.kind() == "jsonl" }

// Close writes what is still to be written. It is called after the last record.
func (s *Sink) Close() error {
	if s.cuts != nil {
		defer s.cuts.parts.Close() // its errors show when it is read
	}
	switch f := s.rd.format; {
	case s.rows != nil:
		return s.rows.Close()
	case s.rd.table != nil && s.kind == s.rd.kind():
		return s.header()
	case f == nil:
		return nil
	default:
		return s.copy(f)
	}
}
