package record

import (
	"io"
	"math/bits"
)

// A Sink writes the records that are kept, in the format in which they were
// read: lines as they came, at once; Parquet by a second pass over the files
// at Close, when it is known which rows are kept.
type Sink struct {
	rd     *Reader
	w      io.Writer
	kept   Bitmap
	unpack bool // rows are written as JSON lines
}

// NewSink returns a sink for records of rd. Writes should be buffered.
func NewSink(rd *Reader, w io.Writer) *Sink { return &Sink{rd: rd, w: w} }

// Unpack makes the sink write all records as lines.
func (s *Sink) Unpack() { s.unpack = true }

// Keep writes a record. Records come in the order of reading.
func (s *Sink) Keep(rec *Record) error {
	if s.rd.format != nil {
		s.kept.Set(rec.Ordinal)
		return nil
	}
	if _, err := s.w.Write(rec.Raw); err != nil {
		return err
	}
	_, err := s.w.Write(lineEnd)
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
	return s.rd.format.Copy(s.w, s.rd.kept, s.kept.Has)
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
