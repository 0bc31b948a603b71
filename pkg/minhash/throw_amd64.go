//go:build !purego

package minhash

import "golang.org/x/sys/cpu"

// throwAll is throw, for at least one element.
//
//go:noescape
func throwAll(best *uint64, k uint64, elements *uint64, n int, add, mul, prefix uint64)

// throwRest is throwAll for a round in which few slots are empty: nearly all
// elements hit one that was filled in an earlier round, which a processor foresees.
//
//go:noescape
func throwRest(best *uint64, k uint64, elements *uint64, n int, add, mul, prefix uint64)

func (s *Sketcher) throw(elements []uint64, round int) {
	if !cpu.X86.HasBMI2 {
		s.plainThrow(elements, round)
		return
	}
	throw := throwAll
	if round*len(elements) > 2*len(s.best) { // about e^-2 of the slots are empty
		throw = throwRest
	}
	key := s.key(round)
	throw(&s.best[0], uint64(len(s.best)), &elements[0], len(elements), key.add, key.mul, uint64(round)<<48)
}
