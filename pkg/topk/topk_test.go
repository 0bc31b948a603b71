package topk

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestList checks that a List holds the smallest values, sorted.
func TestList(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 3, 50} {
		for _, n := range []int{0, 1, 2, 3, 4, 200} {
			l := List[int]{Size: size, Compare: cmp.Compare[int]}
			var all []int
			for range n {
				x := rng.IntN(20)
				if all = append(all, x); l.Takes(x) {
					l.Add(x)
				}
			}
			slices.Sort(all)
			if want := all[:min(size, n)]; !slices.Equal(l.All, want) {
				t.Errorf("the first %d of %d: %v, want %v", size, n, l.All, want)
			}
		}
	}
}

// TestDraw checks that over many seeds all values are drawn equally often.
func TestDraw(t *testing.T) {
	const of, size, seeds = 40, 10, 2000
	var drawn [of]int
	for seed := range uint64(seeds) {
		l := List[uint64]{Size: size, Compare: cmp.Compare[uint64]}
		by := map[uint64]int{}
		for n := range int64(of) {
			x := Draw(seed, n)
			by[x] = int(n)
			if l.Takes(x) {
				l.Add(x)
			}
		}
		for _, x := range l.All {
			drawn[by[x]]++
		}
	}
	for n, times := range drawn { // expect 500; the tolerance is five standard deviations of 19.4 each
		if times < 403 || times > 597 {
			t.Errorf("the %dth was drawn %d times of %d", n, times, seeds)
		}
	}
}
