package group

import (
	"math"
	"math/rand/v2"
	"testing"
)

// plainGreedy is the definition: look at the ranks in order.
func plainGreedy(n int, edges []Edge) []Decision {
	all := make([]Decision, n)
	for r := range all {
		all[r] = Decision{Rank: uint32(r)}
		for _, e := range edges {
			if d := &all[r]; int(e.Worse) == r && !all[e.Better].Drop {
				if !d.Drop || e.Score > d.Score || e.Score == d.Score && e.Better < d.Kept {
					d.Drop, d.Kept, d.Score = true, e.Better, e.Score
				}
			}
		}
	}
	return all
}

func random(r *rand.Rand, n, m int) (edges []Edge) {
	for range m {
		a, b := uint32(r.IntN(n)), uint32(r.IntN(n))
		if a != b {
			edges = append(edges, Edge{min(a, b), max(a, b), float64(r.IntN(5)) / 5})
		}
	}
	return edges
}

func TestGreedy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 5, 50, 500} {
		for _, m := range []int{0, 1, n, 3 * n} {
			for _, mem := range []int64{0, 1 << 30} {
				edges := random(r, n, m)
				want := plainGreedy(n, edges)
				r.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
				g := NewGreedy(n, mem)
				for _, e := range edges {
					if err := g.Add(e); err != nil {
						t.Fatal(err)
					}
				}
				i := 0
				err := g.Decide(func(d Decision) error {
					if d != want[i] {
						t.Fatalf("n %d, m %d: %+v, want %+v", n, m, d, want[i])
					}
					i++
					return nil
				})
				if err != nil || i != n {
					t.Errorf("n %d, m %d: %d decisions, %v", n, m, i, err)
				}
			}
		}
	}
}

func TestComponents(t *testing.T) {
	edges := []Edge{{1, 2, .9}, {0, 2, .8}, {2, 5, .7}, {3, 4, .95}}
	c := NewComponents(7)
	for _, e := range edges {
		c.Join(e)
	}
	for _, e := range edges {
		c.Score(e)
	}
	want := []Decision{
		{Rank: 0, Least: .7}, {1, true, 0, math.NaN(), .7}, {2, true, 0, .8, .7}, {Rank: 3, Least: .95},
		{4, true, 3, .95, .95}, {5, true, 0, math.NaN(), .7}, {Rank: 6, Least: math.Inf(1)},
	}
	i := 0
	c.Decide(func(d Decision) error {
		w := want[i]
		same := d.Score == w.Score || math.IsNaN(d.Score) && math.IsNaN(w.Score) || !d.Drop
		if d.Drop != w.Drop || d.Drop && d.Kept != w.Kept || !same || d.Least != w.Least {
			t.Errorf("%+v, want %+v", d, w)
		}
		i++
		return nil
	})
}
