package minhash

import (
	"iter"
	"slices"
)

// SketchEach is [Sketcher.Sketch] of elements that come in parts, so that a set need
// not be held. A set that leaves slots empty after the first round, being small, comes
// a second time: then its different elements are taken for the rounds that are left.
// With k slots n different elements leave one empty with a probability of at most
// k·exp(-n/k), so these are few; should they be more than the 40·k that stand for a
// probability of 1e-13, they come once a round.
//
// It is for long texts: a short one leaves slots empty as a rule, and to take its
// elements a second time cost four times as long as all of [Sketcher.Sketch]. One way for
// both, of parts of which a short text is one, took 3 % more of doppel fuzzy.
func (s *Sketcher) SketchEach(dst *Sketch, parts iter.Seq[[]uint64]) bool {
	var n, total uint64
	s.begin()
	for elements := range parts {
		if len(elements) == 0 {
			continue
		}
		s.throw(elements, 0)
		n += uint64(len(elements))
		total += sum(elements)
	}
	if n == 0 {
		return false
	}
	if slices.Contains(s.best, empty) {
		if few, ok := different(parts, 40*len(s.best)); ok {
			s.finish(few)
		}
	}
	for round := 1; round < len(s.best) && slices.Contains(s.best, empty); round++ {
		for elements := range parts {
			if len(elements) > 0 {
				s.throw(elements, round)
			}
		}
	}
	for slot := range s.best {
		if s.best[slot] == empty {
			for elements := range parts {
				s.fill(elements, slot)
			}
		}
	}
	s.write(dst, n, total)
	return true
}

// different returns the elements, each once, unless they are more than most.
func different(parts iter.Seq[[]uint64], most int) (few []uint64, ok bool) {
	seen := map[uint64]bool{}
	for elements := range parts {
		last := uint64(0)
		for i, x := range elements {
			if i > 0 && x == last || seen[x] {
				continue
			}
			if last = x; len(few) == most {
				return nil, false
			}
			seen[x] = true
			few = append(few, x)
		}
	}
	return few, true
}
