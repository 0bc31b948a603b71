package record

import (
	"io"
	"os"
	"sync/atomic"

	"doppel/pkg/files/filename"
)

// A Meter tells how far inputs are read whose size is known. Bytes are those of the
// files as they lie there, compressed or not.
type Meter struct {
	total, read atomic.Int64
}

// Far returns how much is read of how much; ok is false where that is not known.
func (m *Meter) Far() (read, total int64, ok bool) {
	read, total = m.read.Load(), m.total.Load()
	return read, total, total > 0 && read <= total
}

// Expect adds the inputs of these names, if the size of all is known, and reports
// whether it is: then the reader is to count in the meter.
func (m *Meter) Expect(in *Input) bool {
	names := in.Names
	var sum int64
	if list, ok := in.Files.(*filename.List); ok {
		for _, name := range *list {
			sum += int64(len(name)) + 1
		}
	} else if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		size, ok := in.sizeOf(name)
		if !ok {
			return false
		}
		sum += size
	}
	m.total.Add(sum)
	return true
}

// sizeOf returns the size of an input that is a file, or a directory of them.
func (in *Input) sizeOf(name string) (sum int64, ok bool) {
	if r, size := in.Decoded.of(name); r != nil {
		return size, true
	}
	info, err := os.Stat(name)
	if name == "-" {
		switch from := in.Stdin.(type) {
		case *os.File:
			info, err = from.Stat()
		case interface{ Len() int }: // in memory
			return int64(from.Len()), true
		}
	}
	switch {
	case err != nil:
		return 0, false
	case info.IsDir():
		names, err := DataFiles(name)
		for _, name := range names {
			size, ok := in.sizeOf(name)
			if !ok {
				return 0, false
			}
			sum += size
		}
		return sum, err == nil
	}
	return info.Size(), info.Mode().IsRegular()
}

type meterReader struct {
	io.Reader
	meter *Meter
}

func (r meterReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.meter.read.Add(int64(n))
	return n, err
}

// A file of a format is read by columns and in parts, so that bytes that were read
// tell little. How far it is, is measured by its records: as large a share of them
// as was handed out, as large a share of the size of the file counts as read. Where
// the records that are kept are copied in a second pass, that counts once more.

// A sharer knows how much of it was handed out: from 0 to 1.
type sharer interface {
	Source
	Share() float64
}

// A portion is what one pass over something adds to a meter.
type portion struct {
	meter *Meter // nil counts nothing
	size  int64
	read  atomic.Int64
}

// reach notes which share of the portion was read. Less than before changes nothing.
func (p *portion) reach(share float64) {
	if p.meter == nil {
		return
	}
	now := int64(share * float64(p.size))
	for before := p.read.Load(); now > before; before = p.read.Load() {
		if p.read.CompareAndSwap(before, now) {
			p.meter.read.Add(now - before)
			return
		}
	}
}

// A measuredSource is a file of a format, which counts in the meter.
type measuredSource struct {
	sharer
	portion portion
}

func (s *measuredSource) Next(b *Batch) error {
	err := s.sharer.Next(b)
	s.portion.reach(s.Share())
	return err
}
