// Package group decides from scored pairs which records are kept and which are
// dropped in whose favour.
//
// Greedy: in rank order, a record is dropped if a kept one is paired with it,
// in favour of the one with the highest score. It is the lexicographically
// first maximal independent set, so it depends on the ranking and the pairs
// but not on their order, and nobody is dropped by way of a third.
//
// Components: a record is dropped if it is connected with a better one over
// any number of pairs. The groups can drift: the lowest score of a pair in a
// group is reported with it.
//
// Both take the pairs as edges between ranks, 0 being the best. Greedy needs
// them sorted by the worse rank, which package extsort does in bounded memory,
// and holds a bit a record; Components needs no order and holds 16 bytes a
// record.
package group

import (
	"math"

	"doppel/pkg/extsort"
)

// An Edge is a scored pair of ranks, Better < Worse.
type Edge struct {
	Better, Worse uint32
	Score         float64
}

// A Decision says what becomes of the record of a rank.
type Decision struct {
	Rank  uint32
	Drop  bool
	Kept  uint32  // the rank in whose favour it is dropped
	Score float64 // of the pair of both, NaN if there is none
	Least float64 // Components: the lowest score in the group
}

// Entry and edge convert between an edge and an entry for the sort.
func entry(e Edge) [2]uint64 {
	return [2]uint64{uint64(e.Worse)<<32 | uint64(e.Better), math.Float64bits(e.Score)}
}

func edge(e [2]uint64) Edge {
	return Edge{Worse: uint32(e[0] >> 32), Better: uint32(e[0]), Score: math.Float64frombits(e[1])}
}

const partitions = 256

// A Greedy takes edges and gives decisions.
type Greedy struct {
	n     uint64
	edges *extsort.Sorter[[2]uint64]
	kept  []bool
}

// NewGreedy returns a Greedy for ranks below n that holds mem bytes of edges.
func NewGreedy(n int, mem int64) *Greedy {
	return &Greedy{n: uint64(n), edges: extsort.New[[2]uint64](partitions, mem), kept: make([]bool, n)}
}

// Add adds an edge.
func (g *Greedy) Add(e Edge) error {
	return g.edges.Add(int(uint64(e.Worse)*partitions/g.n), entry(e))
}

// Decide calls emit with the decision for every rank, in order.
func (g *Greedy) Decide(emit func(Decision) error) error {
	next := uint32(0) // the first rank without a decision
	keepUpTo := func(rank uint32) error {
		for ; next < rank; next++ {
			g.kept[next] = true
			if err := emit(Decision{Rank: next}); err != nil {
				return err
			}
		}
		return nil
	}
	for p := range partitions {
		edges, err := g.edges.Sorted(p)
		if err != nil {
			return err
		}
		for len(edges) > 0 {
			worse := uint32(edges[0][0] >> 32)
			if err := keepUpTo(worse); err != nil {
				return err
			}
			var d Decision
			d, edges = g.decide(worse, edges)
			g.kept[worse] = !d.Drop
			next++
			if err := emit(d); err != nil {
				return err
			}
		}
	}
	if err := keepUpTo(uint32(g.n)); err != nil {
		return err
	}
	return g.edges.Close()
}

// decide passes the edges of one rank and returns the rest.
func (g *Greedy) decide(worse uint32, edges [][2]uint64) (Decision, [][2]uint64) {
	d := Decision{Rank: worse}
	for len(edges) > 0 && uint32(edges[0][0]>>32) == worse {
		e := edge(edges[0])
		if g.kept[e.Better] && (!d.Drop || e.Score > d.Score) {
			d.Drop, d.Kept, d.Score = true, e.Better, e.Score
		}
		edges = edges[1:]
	}
	return d, edges
}

// A Components takes edges and gives decisions.
type Components struct {
	parent []uint32  // of each rank; the root of a group is its best
	least  []float64 // of the group, at its root
	direct []float64 // the score of each rank with its root
}

// NewComponents returns a Components for ranks below n.
func NewComponents(n int) *Components {
	c := &Components{parent: make([]uint32, n), least: make([]float64, n), direct: make([]float64, n)}
	for i := range c.parent {
		c.parent[i] = uint32(i)
		c.least[i], c.direct[i] = math.Inf(1), math.NaN()
	}
	return c
}

// root returns the best rank of the group, and shortens the way to it.
func (c *Components) root(i uint32) uint32 {
	for c.parent[i] != i {
		c.parent[i] = c.parent[c.parent[i]]
		i = c.parent[i]
	}
	return i
}

// Join adds an edge.
func (c *Components) Join(e Edge) {
	a, b := c.root(e.Better), c.root(e.Worse)
	least := min(c.least[a], c.least[b], e.Score)
	a, b = min(a, b), max(a, b)
	c.parent[b] = a
	c.least[a] = least
}

// Score notes an edge again, after all were joined: it may be the one between
// a record and the kept one.
func (c *Components) Score(e Edge) {
	if c.root(e.Worse) == e.Better {
		c.direct[e.Worse] = e.Score
	}
}

// Decide calls emit with the decision for every rank, in order.
func (c *Components) Decide(emit func(Decision) error) error {
	for i := range c.parent {
		rank := uint32(i)
		root := c.root(rank)
		d := Decision{Rank: rank, Drop: root != rank, Kept: root, Score: c.direct[i], Least: c.least[root]}
		if err := emit(d); err != nil {
			return err
		}
	}
	return nil
}
