package record

import (
	"io"
	"math/bits"
)

// A Sink writes the records that are kept, in the format in which they were
// read: lines as they came; Parquet by a second pass over the files at Close,
// when it is known which rows are kept.
type Sink struct {
	rd     *Reader
	w      io.Writer
	run    []byte // what was gathered, without the last line end
	open   bool   // something was gathered, if only an empty line
	kept   Bitmap
	unpack bool // rows are written as JSON lines
}

// NewSink returns a sink for records of rd.
func NewSink(rd *Reader, w io.Writer) *Sink { return &Sink{rd: rd, w: w} }

// Unpack makes the sink write all records as lines.
func (s *Sink) Unpack() { s.unpack = true }

// Keep writes a record. Records come in the order of reading.
func (s *Sink) Keep(rec *Record) error {
	if err := s.Gather(rec); err != nil {
		return err
	}
	return s.Flush()
}

// Gather is Keep for records whose bytes stay as they are until Flush: lines
// that follow each other in memory are written at once.
func (s *Sink) Gather(rec *Record) error {
	if s.rd.format != nil {
		s.kept.Set(rec.Ordinal)
		return nil
	}
	if s.extend(rec.Raw) {
		return nil
	}
	err := s.Flush()
	s.run, s.open = rec.Raw, true
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

// Lines reports whether the records read so far came as lines.
func (s *Sink) Lines() bool { return s.rd.format == nil }

// Close writes what is still to be written. It is called after the last record.
func (s *Sink) Close() error {
	if s.rd.format == nil {
		return nil
	}
	if s.unpack {
		return s.rd.format.Lines(s.w, s.rd.kept, s.kept.Has)
	}
	return s.rd.format.Copy(s.w, s.rd.kept, &s.rd.opt, s.kept.Has)
}

// A Bitmap is a set of numbers from 0, at a bit each up to the largest.
type Bitmap []uint64

// Set adds n.
func (b *Bitmap) Set(n int64) {
	for int64(len(*b)) <= n/64 {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}

// Has reports whether n is in the set.
func (b Bitmap) Has(n int64) bool { return n/64 < int64(len(b)) && b[n/64]>>(n%64)&1 != 0 }

// Len returns how many numbers are in the set.
func (b Bitmap) Len() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}
