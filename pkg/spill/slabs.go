package spill

// slabWords is the size of a slab in words. Hold allocates separate memory for a slice that is
// longer than a quarter of a slab.
const slabWords = 1 << 16

// Slabs store copies of slices of words. A slab is one allocation that holds many copies. After
// releaseAll, new copies reuse the slabs.
type Slabs struct {
	last       []uint64 // the slab being filled
	full, free [][]uint64
}

// Hold returns a copy of words, which is valid until releaseAll.
func (s *Slabs) Hold(words []uint64) []uint64 {
	if len(words) > slabWords/4 {
		return append([]uint64(nil), words...)
	}
	if cap(s.last)-len(s.last) < len(words) {
		if s.last != nil {
			s.full = append(s.full, s.last)
		}
		if n := len(s.free); n > 0 {
			s.last, s.free = s.free[n-1][:0], s.free[:n-1]
		} else {
			s.last = make([]uint64, 0, slabWords)
		}
	}
	n := len(s.last)
	s.last = append(s.last, words...)
	return s.last[n:len(s.last):len(s.last)]
}

// releaseAll releases the memory of all copies for reuse.
func (s *Slabs) releaseAll() {
	s.free = append(s.free, s.full...)
	s.full = s.full[:0]
	if s.last != nil {
		s.last = s.last[:0]
	}
}
