//go:build !amd64

package minhash

func (s *Sketcher) throw(elements []uint64, round int) int { return s.plainThrow(elements, round) }
