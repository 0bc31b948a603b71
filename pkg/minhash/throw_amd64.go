package minhash

import "golang.org/x/sys/cpu"

// throwFast is throw, for at least one element.
//
//go:noescape
func throwFast(best *uint64, k uint64, elements *uint64, n int, add, mul, prefix uint64) (filled int)

func (s *Sketcher) throw(elements []uint64, round int) int {
	if !cpu.X86.HasBMI2 {
		return s.plainThrow(elements, round)
	}
	key := s.key(round)
	return throwFast(&s.best[0], uint64(len(s.best)), &elements[0], len(elements), key.add, key.mul, uint64(round)<<48)
}
