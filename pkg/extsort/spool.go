package extsort

import (
	"io"
	"os"

	"doppel/pkg/scratch"
)

// A Spool keeps a sequence of entries on disk, to be read from the start
// again, as often as needed.
type Spool[E Entry] struct {
	file *os.File
	w    offsetWriter
	n    int64
}

// NewSpool returns an empty spool in an unnamed scratch file.
func NewSpool[E Entry]() (*Spool[E], error) {
	f, err := scratch.Create()
	if err != nil {
		return nil, err
	}
	return &Spool[E]{file: f, w: offsetWriter{f: f}}, nil
}

// Add appends an entry. An error of writing is kept for Next.
func (s *Spool[E]) Add(e E) {
	s.w.write(bytesOf([]E{e}))
	s.n++
}

// Len returns the number of entries.
func (s *Spool[E]) Len() int64 { return s.n }

// Reader returns a function that reads the entries in order: it fills as much
// of its argument as there is, and returns io.EOF when nothing is left.
func (s *Spool[E]) Reader() (next func([]E) (int, error), err error) {
	if err := s.w.flush(); err != nil {
		return nil, err
	}
	at := int64(0)
	return func(dst []E) (int, error) {
		dst = dst[:min(int64(len(dst)), s.n-at)]
		if len(dst) == 0 {
			return 0, io.EOF
		}
		b := bytesOf(dst)
		if _, err := s.file.ReadAt(b, at*int64(len(b)/len(dst))); err != nil {
			return 0, err
		}
		at += int64(len(dst))
		return len(dst), nil
	}, nil
}

// Each calls fn with every entry in order.
func (s *Spool[E]) Each(fn func(E) error) error {
	next, err := s.Reader()
	if err != nil {
		return err
	}
	buf := make([]E, 4096)
	for {
		n, err := next(buf)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for _, e := range buf[:n] {
			if err := fn(e); err != nil {
				return err
			}
		}
	}
}

// Close gives up the scratch file.
func (s *Spool[E]) Close() error { return s.file.Close() }
