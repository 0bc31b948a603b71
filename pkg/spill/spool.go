// Package spill sorts, groups and stores values in bounded memory. Its types keep data in memory up
// to a limit, and then write the data to a scratch file without a name. The operating system frees
// such a file when the process ends, even if the process is killed.
//
//   - a Sorter sorts entries, partition by partition; a Spool stores entries in order;
//   - Partitions (of words) and Piles (of bytes) store values by number;
//   - a Log stores bytes and reads them back by offset.
package spill

import (
	"io"
	"unsafe"
)

// An Entry consists of one to three 64-bit words.
type Entry interface {
	uint64 | [1]uint64 | [2]uint64 | [3]uint64
}

// bytesOf returns the memory of the entries as bytes. Scratch files never leave the machine, so
// they use the machine's byte order.
func bytesOf[E Entry](a []E) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a))), uintptr(len(a))*unsafe.Sizeof(*new(E)))
}

// A Spool stores a sequence of entries. The caller can read it from the start, as often as needed,
// or at any position.
type Spool[E Entry] struct {
	log Log
	n   int64
}

// Add appends entries. After an error, reads of the spool return the same error.
func (s *Spool[E]) Add(entries ...E) error {
	s.n += int64(len(entries))
	_, err := s.log.Write(bytesOf(entries))
	return err
}

// Len returns the number of entries.
func (s *Spool[E]) Len() int64 { return s.n }

// ReadAt fills dst with entries, beginning with the entry that has the given number.
func (s *Spool[E]) ReadAt(dst []E, number int64) error {
	_, err := s.log.ReadAt(bytesOf(dst), number*int64(unsafe.Sizeof(*new(E))))
	return err
}

// Reader returns a function that reads the entries in order. The function reads as many entries
// into its argument as possible and returns their number, or io.EOF at the end.
func (s *Spool[E]) Reader() func([]E) (int, error) { return s.section(0, s.n) }

// section is like Reader, but the returned function reads only n entries, beginning with the entry
// that has the given number.
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
	return eachRead(s.Reader(), make([]E, 4096), fn)
}

// eachRead reads all entries and calls fn with each of them.
func eachRead[E Entry](read func([]E) (int, error), buf []E, fn func(E) error) error {
	for {
		n, err := read(buf)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = eachEntry(buf[:n], fn)
		}
		if err != nil {
			return err
		}
	}
}

func eachEntry[E Entry](entries []E, fn func(E) error) error {
	for _, e := range entries {
		if err := fn(e); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the scratch file.
func (s *Spool[E]) Close() error { return s.log.Close() }
