package group

import (
	"math"
	"math/rand/v2"
	"testing"
)

// withImplied adds the edges that follow from equal records: if a record equals one end of an edge,
// it has an edge to the other end.
func withImplied(edges []Edge) []Edge {
	has := map[[2]uint32]float64{}
	for _, e := range edges {
		has[[2]uint32{e.Better, e.Worse}] = max(e.Score, has[[2]uint32{e.Better, e.Worse}])
	}
	for grown := true; grown; {
		grown = false
		for x, sx := range has {
			for y, sy := range has {
				if a, b, ok := outerEnds(x, y); ok && (sx == Equal || sy == Equal) {
					if k := [2]uint32{min(a, b), max(a, b)}; has[k] < min(sx, sy) {
						has[k], grown = min(sx, sy), true
					}
				}
			}
		}
	}
	edges = nil
	for k, score := range has {
		edges = append(edges, Edge{k[0], k[1], score})
	}
	return edges
}

// outerEnds returns the other ends of two edges that have exactly one end in common; ok is false
// for any other two edges.
func outerEnds(x, y [2]uint32) (a, b uint32, ok bool) {
	for i := range 2 {
		for j := range 2 {
			if x[i] == y[j] && x[1-i] != y[1-j] {
				return x[1-i], y[1-j], true
			}
		}
	}
	return 0, 0, false
}

// plainGreedy makes the same decisions as Greedy, without sorting edges. It visits the ranks in
// order. A record that equals a better one gets the decision on that record. Any other record is
// dropped if it is paired with a kept record, in favour of the kept record with the highest score
// or, among equal scores, the best rank.
func plainGreedy(n int, edges []Edge) []Decision {
	edges = withImplied(edges)
	all := make([]Decision, n)
	for r := range all {
		d := Decision{Rank: uint32(r)}
		for _, e := range edges {
			if int(e.Worse) != r || all[e.Better].Drop {
				continue
			}
			if !d.Drop || e.Score > d.Score || e.Score == d.Score && e.Better < d.Kept {
				d.Drop, d.Kept, d.Score = true, e.Better, e.Score
			}
		}
		for _, e := range edges {
			if int(e.Worse) == r && e.Score == Equal && all[e.Better].Drop {
				d = all[e.Better]
				d.Rank = uint32(r)
			}
		}
		all[r] = d
	}
	return all
}

func random(r *rand.Rand, n, m int) (edges []Edge) {
	for range m {
		a, b := uint32(r.IntN(n)), uint32(r.IntN(n))
		if a != b {
			edges = append(edges, Edge{min(a, b), max(a, b), float64(1+r.IntN(5)) / 5})
		}
	}
	return edges
}

func TestGreedy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 5, 12, 40} {
		for _, m := range []int{0, 1, n, 3 * n} {
			for _, mem := range []int64{0, 1 << 30} {
				edges := random(r, n, m)
				want := plainGreedy(n, edges)
				r.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
				g := NewGreedy(n, mem)
				for _, pass := range []func(Edge) error{g.Join, g.Add} {
					for _, e := range edges {
						if err := pass(e); err != nil {
							t.Fatal(err)
						}
					}
				}
				i := 0
				err := g.Decide(func(d Decision) error {
					if d != want[i] {
						t.Fatalf("n %d, m %d: %+v, want %+v\nedges %v", n, m, d, want[i], edges)
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
