package spill

// slabWords is the size of a slab; runs of more than a quarter of it get their own memory.
const slabWords = 1 << 16

// Slabs store copies of runs of words, many in one allocation, which is reused once all copies
// are released.
type Slabs struct {
	last       []uint64 // the slab being filled
	full, free [][]uint64
}

// Hold returns a copy of words.
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

// releaseAll releases all copies.
func (s *Slabs) releaseAll() {
	s.free = append(s.free, s.full...)
	s.full = s.full[:0]
	if s.last != nil {
		s.last = s.last[:0]
	}
}
