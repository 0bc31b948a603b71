package group

import "math"

// A Greedy takes edges and gives decisions.
type Greedy struct {
	edges
	kept  []uint32 // of each rank, the one in whose favour it is dropped, or itself
	score []float64
}

// NewGreedy returns a Greedy for ranks below n that holds mem bytes of edges.
func NewGreedy(n int, mem int64) *Greedy {
	return &Greedy{edges: newEdges(n, mem), kept: make([]uint32, n), score: make([]float64, n)}
}

// Add adds an edge.
func (g *Greedy) Add(e Edge) error { return g.add(e) }

// Decide calls emit with the decision for every rank, in order.
func (g *Greedy) Decide(emit func(Decision) error) error {
	next := uint32(0) // the first rank without a decision
	for p := range partitions {
		edges, err := g.sorter.Sorted(p)
		if err != nil {
			return err
		}
		for len(edges) > 0 {
			worse := uint32(edges[0][0] >> 32)
			if err := g.emit(next, worse, emit); err != nil {
				return err
			}
			edges = g.decide(worse, edges)
			if err := emit(g.decision(worse)); err != nil {
				return err
			}
			next = worse + 1
		}
	}
	if err := g.emit(next, uint32(len(g.kept)), emit); err != nil {
		return err
	}
	return g.sorter.Close()
}

// emit emits the decisions for ranks that are no root with an edge: they
// follow from those of their roots.
func (g *Greedy) emit(from, to uint32, emit func(Decision) error) error {
	for rank := from; rank < to; rank++ {
		root := g.equal.Root(rank)
		g.kept[rank], g.score[rank] = root, Equal
		if g.kept[root] != root {
			g.kept[rank], g.score[rank] = g.kept[root], g.score[root]
		}
		if err := emit(g.decision(rank)); err != nil {
			return err
		}
	}
	return nil
}

func (g *Greedy) decision(rank uint32) Decision {
	if g.kept[rank] == rank {
		return Decision{Rank: rank}
	}
	return Decision{Rank: rank, Drop: true, Kept: g.kept[rank], Score: g.score[rank]}
}

// decide passes the edges of one rank and returns the rest.
func (g *Greedy) decide(worse uint32, edges [][2]uint64) [][2]uint64 {
	g.kept[worse], g.score[worse] = worse, math.Inf(-1)
	for len(edges) > 0 && uint32(edges[0][0]>>32) == worse {
		e := edge(edges[0])
		if g.kept[e.Better] == e.Better && e.Score > g.score[worse] {
			g.kept[worse], g.score[worse] = e.Better, e.Score
		}
		edges = edges[1:]
	}
	return edges
}
