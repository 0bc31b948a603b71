//go:build !amd64 || purego

package minhash

func (s *Sketcher) throw(elements []uint64, round int) { s.plainThrow(elements, round) }
