package record

import (
	"os"
	"sync/atomic"
)

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

// measure returns the source of a file of a format, which counts in the meter.
func (m *Meter) measure(s Source, f *os.File) Source {
	info, err := f.Stat()
	from, ok := s.(sharer)
	if m == nil || err != nil || !ok {
		return s
	}
	return &measuredSource{from, portion{meter: m, size: info.Size()}}
}

type measuredSource struct {
	sharer
	portion portion
}

func (s *measuredSource) Next(b *Batch) error {
	err := s.sharer.Next(b)
	s.portion.reach(s.Share())
	return err
}
