package spill

import (
	"slices"
	"testing"
)

// TestSlabs checks that copies stay unchanged until releaseAll, and that Slabs then reuse the
// memory.
func TestSlabs(t *testing.T) {
	var s Slabs
	for round := range 3 {
		var held [][]uint64
		for i := range 100 {
			n := []int{1, 1000, slabWords / 4, slabWords/4 + 1, slabWords - 1}[i%5]
			held = append(held, s.Hold(slices.Repeat([]uint64{uint64(round*100 + i)}, n)))
			_ = append(held[i], 1) // append must not overwrite the next copy
		}
		for i, words := range held {
			if slices.ContainsFunc(words, func(w uint64) bool { return w != uint64(round*100+i) }) {
				t.Errorf("round %d: copy %d was changed", round, i)
			}
		}
		if n := len(s.full) + len(s.free) + 1; n != 7 { // the 60 copies that are not allocated separately need 7 slabs
			t.Errorf("round %d: %d slabs", round, n)
		}
		s.releaseAll()
	}
}
