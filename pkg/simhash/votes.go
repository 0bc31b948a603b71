package simhash

import "math/bits"

// Add adds the vote of a feature that was hashed by the caller. The votes are
// counted by [signer.Votes].
func (s *signer) Add(h Hash) {
	i := s.n & 15
	s.lo.block[i] = h.Lo
	s.hi.block[i] = h.Hi
	if s.n++; s.n == 16 {
		s.addBlock()
	}
}

func (s *signer) addBlock() {
	s.n = 0
	s.lo.add16(&s.lo.block)
	if s.width == 128 {
		s.hi.add16(&s.hi.block)
	}
}

// Votes returns the simhash of the features added since the last call, and
// false if there was none.
func (s *signer) Votes() (Hash, bool) {
	hi, lo := s.hi.close(s.n), s.lo.close(s.n)
	any := s.lo.words > 0
	s.n = 0
	s.lo.reset()
	s.hi.reset()
	switch s.width {
	case 32:
		return Hash{Lo: bits.Reverse64(lo) >> 32}, any
	case 64:
		return Hash{Lo: bits.Reverse64(lo)}, any
	}
	return Hash{bits.Reverse64(lo), bits.Reverse64(hi)}, any
}

// close adds the n words that wait and returns the vote.
func (l *lane) close(n int) uint64 {
	if n > 0 {
		l.addTail(&l.block, n)
	}
	return l.majority()
}
