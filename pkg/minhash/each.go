package minhash

import (
	"iter"
	"slices"
)

// SketchEach is [Sketcher.Sketch] for elements in parts, so that the set need not be in memory.
// If the first round leaves slots empty, because the set is small, parts is iterated a second
// time to collect the different elements for the other rounds. With k slots, n different
// elements leave a slot empty with a probability of at most k·exp(-n/k), so n is small. If n is
// more than 40·k, which has a probability below 1e-13, parts is iterated once per round.
//
// It is for long texts: a short one usually leaves slots empty, and reading its elements a
// second time takes four times as long as all of [Sketcher.Sketch]. Using it for all texts,
// with a short text as one part, made doppel fuzzy 3 % slower.
func (s *Sketcher) SketchEach(dst *Sketch, parts iter.Seq[[]uint64]) bool {
	var n, total uint64
	s.emptySlots()
	for elements := range parts {
		if len(elements) == 0 {
			continue
		}
		s.throwAll(elements, 0)
		n += uint64(len(elements))
		total += sumOf(elements)
	}
	if n == 0 {
		return false
	}
	if slices.Contains(s.best, empty) {
		if few, ok := distinctElements(parts, 40*len(s.best)); ok {
			s.runRounds(few)
		}
	}
	for round := 1; round < len(s.best) && slices.Contains(s.best, empty); round++ {
		for elements := range parts {
			if len(elements) > 0 {
				s.throwAll(elements, round)
			}
		}
	}
	for slot := range s.best {
		if s.best[slot] == empty {
			for elements := range parts {
				s.fillSlot(elements, slot)
			}
		}
	}
	s.writeSketch(dst, n, total)
	return true
}

// distinctElements returns the distinct elements, or false if there are more than most.
func distinctElements(parts iter.Seq[[]uint64], most int) (few []uint64, ok bool) {
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
