// Package spill sorts, groups and keeps values in bounded memory: beyond its share of the
// memory, each type here writes to a scratch file without a name, which the system frees
// when the process ends, however it ends.
//
//   - a Sorter sorts entries, partition by partition; a Spool keeps them in their order;
//   - Partitions (of words) and Piles (of bytes) keep what is added apart, by a number;
//   - a Log keeps bytes, which are read again by their places.
package spill

import (
	"io"
	"unsafe"
)

// An Entry is one to three words.
type Entry interface {
	uint64 | [1]uint64 | [2]uint64 | [3]uint64
}

// bytesOf returns the memory of the entries. Scratch files never leave the
// machine, so its byte order is theirs.
func bytesOf[E Entry](a []E) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a))), uintptr(len(a))*unsafe.Sizeof(*new(E)))
}

// A Spool keeps a sequence of entries, to be read from the start again, as
// often as needed, or at any place.
type Spool[E Entry] struct {
	log Log
	n   int64
}

// Add appends entries. Its error comes again when the spool is read.
func (s *Spool[E]) Add(entries ...E) error {
	s.n += int64(len(entries))
	_, err := s.log.Write(bytesOf(entries))
	return err
}

// Len returns the number of entries.
func (s *Spool[E]) Len() int64 { return s.n }

// ReadAt reads len(dst) entries from the one with the given number on.
func (s *Spool[E]) ReadAt(dst []E, number int64) error {
	_, err := s.log.ReadAt(bytesOf(dst), number*int64(unsafe.Sizeof(*new(E))))
	return err
}

// Reader returns a function that reads the entries in order: it fills as much
// of its argument as there is, and returns io.EOF when nothing is left.
func (s *Spool[E]) Reader() func([]E) (int, error) { return s.section(0, s.n) }

// section reads n entries as Reader reads all.
func (s *Spool[E]) section(first, n int64) func([]E) (int, error) {
	return func(dst []E) (int, error) {
		dst = dst[:min(int64(len(dst)), n)]
		if len(dst) == 0 {
			return 0, io.EOF
		}
		if err := s.ReadAt(dst, first); err != nil {
			return 0, err
		}
		first, n = first+int64(len(dst)), n-int64(len(dst))
		return len(dst), nil
	}
}

// Each calls fn with every entry in order.
func (s *Spool[E]) Each(fn func(E) error) error {
	return eachOf(s.Reader(), make([]E, 4096), fn)
}

// eachOf calls fn with all that is read.
func eachOf[E Entry](read func([]E) (int, error), buf []E, fn func(E) error) error {
	for {
		n, err := read(buf)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = each(buf[:n], fn)
		}
		if err != nil {
			return err
		}
	}
}

func each[E Entry](entries []E, fn func(E) error) error {
	for _, e := range entries {
		if err := fn(e); err != nil {
			return err
		}
	}
	return nil
}

// Close gives up the scratch file.
func (s *Spool[E]) Close() error { return s.log.Close() }
