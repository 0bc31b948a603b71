package group

import (
	"fmt"
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
// order. A new record is dropped if it is paired with a kept record, in favour of the kept record
// with the highest score or, among equal scores, the best rank.
func plainGreedy(n, olds int, edges []Edge) []Decision {
	edges = withImplied(edges)
	all := make([]Decision, n)
	for r := range all {
		d := Decision{Rank: uint32(r)}
		for _, e := range edges {
			if int(e.Worse) != r || r < olds || all[e.Better].Drop {
				continue
			}
			if !d.Drop || e.Score > d.Score || e.Score == d.Score && e.Better < d.Kept {
				d.Drop, d.Kept, d.Score = true, e.Better, e.Score
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

// A decider is Greedy or None.
type decider interface {
	Join(Edge) error
	Add(Edge) error
	Decide(func(Decision) error) error
}

// eachRandom compares the decisions on random edges with those of a plain implementation.
func eachRandom(t *testing.T, newDecider func(n, olds int, mem int64) decider, plain func(n, olds int, edges []Edge) []Decision) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{2, 5, 12, 25} {
		for _, m := range []int{0, 1, n, 3 * n} {
			for i := range 6 {
				olds, mem := i%5*n/8, int64(i%2<<30)
				edges := random(r, n, m)
				want := plain(n, olds, edges)
				r.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
				d := newDecider(n, olds, mem)
				for _, pass := range []func(Edge) error{d.Join, d.Add} {
					for _, e := range edges {
						if err := pass(e); err != nil {
							t.Fatal(err)
						}
					}
				}
				i := 0
				err := d.Decide(func(d Decision) error {
					if fmt.Sprint(d) != fmt.Sprint(want[i]) { // NaN is not equal to itself
						t.Fatalf("n %d, m %d, %d old: %+v, want %+v\nedges %v", n, m, olds, d, want[i], edges)
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

func TestGreedy(t *testing.T) {
	eachRandom(t, func(n, olds int, mem int64) decider { return NewGreedy(n, olds, mem) }, plainGreedy)
}

// plainNone makes the same decisions as None.
func plainNone(n, olds int, edges []Edge) []Decision {
	edges = withImplied(edges)
	all := make([]Decision, n)
	for r := range all {
		d := &all[r]
		d.Rank, d.Copies = uint32(r), 1
		old := Decision{Kept: Nobody, Score: math.NaN()}
		for _, e := range edges {
			other := e.Better + e.Worse - d.Rank
			if e.Better != d.Rank && e.Worse != d.Rank {
				continue
			}
			d.Copies++
			if int(other) < olds && (old.Kept == Nobody || e.Score > old.Score || e.Score == old.Score && other < old.Kept) {
				old.Kept, old.Score = other, e.Score
			}
		}
		if d.Copies == 1 {
			d.Copies = 0
		} else if r >= olds {
			d.Drop, d.Kept, d.Score = true, old.Kept, old.Score
		}
	}
	return all
}

func TestNone(t *testing.T) {
	eachRandom(t, func(n, olds int, mem int64) decider { return NewNone(n, olds, mem) }, plainNone)
}

func TestComponents(t *testing.T) {
	none := func(rank uint32, copies int64) Decision {
		return Decision{Rank: rank, Drop: true, Kept: Nobody, Score: math.NaN(), Least: .7, Copies: copies}
	}
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		edges []Edge
		olds  int
		apart bool
		none  bool
		want  []Decision
	}{
		"chain": {edges: []Edge{{1, 2, .9}, {0, 2, .8}, {2, 5, .7}, {3, 4, .95}}, want: []Decision{
			{Rank: 0, Least: .7}, {1, true, 0, nan, .7, 0}, {2, true, 0, .8, .7, 0}, {Rank: 3, Least: .95},
			{4, true, 3, .95, .95, 0}, {5, true, 0, nan, .7, 0}, {Rank: 6, Least: inf},
		}},
		"a copy has the score of its equal": {edges: []Edge{{0, 1, .8}, {1, 2, 1}, {0, 3, 1}, {3, 4, .9}}, want: []Decision{
			{Rank: 0, Least: .8}, {1, true, 0, .8, .8, 0}, {2, true, 0, .8, .8, 0}, {3, true, 0, 1, .8, 0}, {4, true, 0, .9, .8, 0},
		}},
		"apart": {edges: []Edge{{0, 1, .9}, {1, 2, 1}}, apart: true, want: []Decision{
			{Rank: 0, Least: .9}, {1, true, 0, .9, .9, 0}, {2, true, 0, nan, .9, 0},
		}},
		"apart and equal": {edges: []Edge{{0, 1, 1}, {1, 2, 1}}, apart: true, want: []Decision{
			{Rank: 0, Least: 1}, {1, true, 0, 1, 1, 0}, {2, true, 0, nan, 1, 0},
		}},
		"each old record is kept": {edges: []Edge{{0, 2, .7}, {1, 2, .8}, {1, 3, .9}}, olds: 2, want: []Decision{
			{Rank: 0, Least: .7}, {Rank: 1, Least: .7}, {2, true, 0, .7, .7, 0}, {3, true, 0, nan, .7, 0},
		}},
		"none": {edges: []Edge{{0, 1, .7}, {1, 2, .7}}, none: true, want: []Decision{none(0, 3), none(1, 3), none(2, 3), {Rank: 3, Least: inf}}},
		"none of the new records": {edges: []Edge{{0, 1, .7}, {1, 2, .7}}, olds: 1, none: true, want: []Decision{
			{Rank: 0, Least: .7, Copies: 3}, {1, true, 0, .7, .7, 3}, {2, true, 0, nan, .7, 3},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			d := NewComponents(len(c.want), c.olds, c.apart)
			for _, e := range c.edges {
				d.Join(e)
			}
			for _, e := range c.edges {
				d.Score(e)
			}
			i := 0
			d.Decide(c.none, func(d Decision) error {
				if !d.Drop {
					d.Kept, d.Score = c.want[i].Kept, c.want[i].Score
				}
				if fmt.Sprint(d) != fmt.Sprint(c.want[i]) {
					t.Errorf("%+v, want %+v", d, c.want[i])
				}
				i++
				return nil
			})
		})
	}
}
