package corpus

import (
	"encoding/binary"
	"errors"

	"doppel/pkg/passage"
)

// spill is the second reading: it puts the texts of the members in their bins.
func (f *Finder) spill(src Source) (err error) {
	if f.bins, err = newBins(f.stats.Bins, f.opt.Mem/8); err != nil {
		return err
	}
	s := spiller{finder: f, cache: newCache(f.opt.Mem / 2), texts: make([]int, f.stats.Bins)}
	if err := read(f, src, f.members, s.take); err != nil {
		return err
	}
	f.stats.Scratch += f.bins.end
	return f.members.release()
}

// A spiller writes members to bins.
type spiller struct {
	finder *Finder
	cache  *cache
	texts  []int // in each bin
	head   []byte
	next   uint64 // where the last run ends: the next one may begin there
}

// errOverlap is what runs that were added twice come to.
var errOverlap = errors.New("runs overlap: each must be added once")

func (s *spiller) take(u *passage.Units, e memberEntry) error {
	start := unitOf(e[0])
	end := start + int(e[1]&countMask) + s.finder.opt.Scheme.Length
	switch {
	case end > u.Len():
		return errChanged
	case e[0] < s.next:
		return errOverlap
	}
	s.next = e[0] + e[1]&countMask + 1
	return s.put(e, u.Text(start, end))
}

func (s *spiller) put(e memberEntry, text []byte) error {
	bin, f := int(e[1]>>binShift), s.finder
	group := uint32(e[1] >> keyShift)
	s.head = binary.LittleEndian.AppendUint64(s.head[:0], e[0])
	s.head = binary.LittleEndian.AppendUint32(s.head, group)
	s.head = append(s.head, byte(e[1]), byte(e[1]>>8)&flagTwice)
	f.stats.Spilled += int64(len(text))
	known := s.cache.find(bin, group, text)
	if known != nil {
		s.head[headSize-1] |= flagSame
		s.head = binary.AppendUvarint(s.head, uint64(known.number))
		return f.bins.add(bin, s.head, nil)
	}
	s.head = binary.AppendUvarint(s.head, uint64(len(text)))
	s.cache.keep(bin, group, s.texts[bin], text)
	s.texts[bin]++
	return f.bins.add(bin, s.head, text)
}
