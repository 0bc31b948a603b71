package record

import (
	"io"
	"os"
	"sync/atomic"

	"doppel/pkg/files/filename"
)

// A Meter measures progress through inputs of known size. It counts the bytes of the files on disk,
// before decompression. If an input is reread from Input.Decoded, the Meter counts the decoded
// bytes instead.
type Meter struct {
	total, read atomic.Int64
}

// Far returns the number of bytes read and the total number of bytes. ok is false if the total is
// unknown, or less than the number of bytes read.
func (m *Meter) Far() (read, total int64, ok bool) {
	read, total = m.read.Load(), m.total.Load()
	return read, total, total > 0 && read <= total
}

// Expect adds the sizes of the inputs to the total, or returns false if a size is unknown. If it
// returns true, the inputs must be read with this meter, because the total includes them.
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

// sizeOf returns the size of an input, which may be a directory of data files. ok is false if
// the size is unknown.
func (in *Input) sizeOf(name string) (sum int64, ok bool) {
	if r, size := in.Decoded.open(name); r != nil {
		return size, true
	}
	info, err := os.Stat(name)
	if name == "-" {
		switch from := in.Stdin.(type) {
		case *os.File:
			info, err = from.Stat()
		case interface{ Len() int }: // for example, a bytes.Reader
			return int64(from.Len()), true
		}
	}
	switch {
	case err != nil:
		return 0, false
	case info.IsDir():
		names, err := FilesOf(name)
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

// The number of bytes read says little about the progress in a Parquet file, because the file is
// not read from start to end. So the meter counts the size of the file times the share of records
// that Next has returned. A second pass that copies the kept records counts the size again.

// A sharer is a source that reports its progress, as a share from 0 to 1.
type sharer interface {
	Source
	Share() float64
}

// A passMeter adds the progress of one pass over an input to a meter.
type passMeter struct {
	meter *Meter // if nil, no progress is counted
	size  int64
	read  atomic.Int64
}

// setShare sets the finished share of the pass, from 0 to 1. It ignores a share that is smaller
// than an earlier one.
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

// A measuredSource is a sharer whose progress is added to a meter.
type measuredSource struct {
	sharer
	portion passMeter
}

func (s *measuredSource) Next(b *Batch) error {
	err := s.sharer.Next(b)
	s.portion.setShare(s.Share())
	return err
}
