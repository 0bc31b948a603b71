package record

import (
	"io"
	"os"
	"sync/atomic"

	"doppel/pkg/files/filename"
)

// A Meter measures progress through inputs of known size, in bytes of the files on disk,
// compressed or not.
type Meter struct {
	total, read atomic.Int64
}

// Far returns bytes read and total bytes; ok is false if the total is unknown.
func (m *Meter) Far() (read, total int64, ok bool) {
	read, total = m.read.Load(), m.total.Load()
	return read, total, total > 0 && read <= total
}

// Expect adds the sizes of the inputs to the total if all of them are known, and reports
// whether they are. If so, the reader must use this meter.
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

// sizeOf returns the size of an input: a file, or a directory of data files.
func (in *Input) sizeOf(name string) (sum int64, ok bool) {
	if r, size := in.Decoded.open(name); r != nil {
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

// Bytes read say little about the progress in a Parquet file, which is read by columns and in
// parts. So progress is the share of its records that were handed out, times the size of the
// file. A second pass that copies the kept records counts the size once more.

// A sharer reports the share of its records that were handed out, from 0 to 1.
type sharer interface {
	Source
	Share() float64
}

// A passMeter adds the progress of one pass over an input to a meter.
type passMeter struct {
	meter *Meter // nil counts nothing
	size  int64
	read  atomic.Int64
}

// setShare sets the finished share of the pass. It never decreases.
func (p *passMeter) setShare(share float64) {
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

// A measuredSource reports the progress in a file of a format to the meter.
type measuredSource struct {
	sharer
	portion passMeter
}

func (s *measuredSource) Next(b *Batch) error {
	err := s.sharer.Next(b)
	s.portion.setShare(s.Share())
	return err
}
