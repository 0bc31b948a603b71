package group

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plainSweep counts, for each threshold, the records that plainGreedy drops.
func plainSweep(n, olds int, edges []Edge, thresholds []float64) []int64 {
	drops := make([]int64, len(thresholds))
	for i, t := range thresholds {
		var reached []Edge
		for _, e := range edges {
			if e.Score >= t {
				reached = append(reached, e)
			}
		}
		for _, d := range plainGreedy(n, olds, reached) {
			if d.Drop {
				drops[i]++
			}
		}
	}
	return drops
}

func TestSweep(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 2 + r.IntN(12)
		olds := r.IntN(n)
		edges := random(r, n, r.IntN(2*n))
		thresholds := []float64{.2, .4, .5, .6, .8, 1}[r.IntN(3):]
		s := NewSweep(n, olds, 1<<10, thresholds)
		for _, step := range []func(Edge) error{s.Join, s.Add} {
			for _, e := range edges {
				if err := step(e); err != nil {
					t.Fatal(err)
				}
			}
		}
		got, err := s.Drops()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(plainSweep(n, olds, edges, thresholds), got); d != "" {
			t.Fatalf("%v at %v (-want +got):\n%s", edges, thresholds, d)
		}
	}
}

// TestSweepMost checks a Sweep with the maximum number of thresholds, which uses all bits.
func TestSweepMost(t *testing.T) {
	var thresholds []float64
	for i := range MostThresholds {
		thresholds = append(thresholds, float64(i+1)/MostThresholds)
	}
	s := NewSweep(2, 0, 1<<10, thresholds)
	e := Edge{0, 1, .5}
	s.Join(e)
	s.Add(e)
	drops, err := s.Drops()
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range drops {
		if want := int64(1); n != want && i < 32 || n != 0 && i >= 32 {
			t.Errorf("%v: %d", thresholds[i], n)
		}
	}
}
