package group

import (
	"cmp"
	"math"
	"slices"

	"doppel/pkg/record/bitset"
	"doppel/pkg/spill"
)

// A Greedy decides from scored edges which records to keep, as described in the package comment.
// Decide stores its results in the Forest of equal records. Before the decision on a record, its
// entry is the best rank in its group of equal records. Afterwards, its entry is the rank of the
// kept record, which is the record itself unless it is dropped.
type Greedy struct {
	edges

	hasEquals bitset.Set  // ranks of records with an equal record of worse rank
	scores    []rankScore // scores of dropped records whose bit in hasEquals is set, sorted by rank
}

// A rankScore is the rank of a dropped record and the score that the next record equal to it has
// with the kept record in its entry of the Forest.
type rankScore struct {
	rank  uint32
	score float64
}

// NewGreedy returns a Greedy for ranks below n that keeps up to mem bytes of edges in memory. The
// records with the first olds ranks are old: each of them is kept.
func NewGreedy(n, olds int, mem int64) *Greedy {
	return &Greedy{edges: newEdges(n, olds, mem)}
}

// Add stores an edge for Decide. Every edge must have been passed to Join before the first call of
// Add.
func (g *Greedy) Add(e Edge) error { return g.addEdge(e) }

// Decide calls emit with the decision on every rank, in ascending order. It may be called only
// once.
func (g *Greedy) Decide(emit func(Decision) error) error {
	g.hasEquals = make(bitset.Set, len(g.equal)/64+1)
	for rank, better := range g.equal { // make each entry the best rank in its group of equal records
		if root := g.equal[better]; root != uint32(rank) {
			g.equal[rank] = root
			g.hasEquals.Add(int64(root))
		}
	}
	next := uint32(0) // the first rank without a decision
	var room spill.Room[[2]uint64]
	for p := range partitions {
		edges, err := g.sorter.SortedIn(&room, p)
		if err != nil {
			return err
		}
		for len(edges) > 0 {
			worse := uint32(edges[0][0] >> 32)
			if err := g.emitBetween(next, worse, emit); err != nil {
				return err
			}
			var d Decision
			edges, d = g.decideRank(worse, edges)
			if err := emit(d); err != nil {
				return err
			}
			next = worse + 1
		}
	}
	if err := g.emitBetween(next, uint32(len(g.equal)), emit); err != nil {
		return err
	}
	return g.sorter.Close()
}

// emitBetween emits the decisions on the ranks in [from, to), which have no edges in the sorter.
// The record of such a rank is kept, unless it is new and equals a better record. It is then dropped
// in favour of that record or, if that record is dropped, of the most similar kept record so far.
func (g *Greedy) emitBetween(from, to uint32, emit func(Decision) error) error {
	for rank := from; rank < to; rank++ {
		root := g.equal[rank]
		d := Decision{Rank: rank, Drop: root != rank && rank >= g.olds, Kept: root, Score: Equal}
		if d.Drop && g.equal[root] != root {
			d.Kept, d.Score = g.equal[root], g.scoreOf(root).score
		}
		g.equal[rank] = d.Kept
		if !d.Drop {
			d = Decision{Rank: rank}
		}
		if err := emit(d); err != nil {
			return err
		}
	}
	return nil
}

// scoreOf returns the entry of a dropped record in g.scores.
func (g *Greedy) scoreOf(rank uint32) *rankScore {
	at, _ := slices.BinarySearchFunc(g.scores, rank, func(s rankScore, rank uint32) int { return cmp.Compare(s.rank, rank) })
	return &g.scores[at]
}

// decideRank decides whether to keep the record with the given rank. The record's edges, if any,
// must be at the start of the given slice. decideRank returns the remaining edges and the decision.
func (g *Greedy) decideRank(worse uint32, edges [][2]uint64) (_ [][2]uint64, d Decision) {
	d = Decision{Rank: worse, Score: math.Inf(-1)}
	n := 0
	for ; n < len(edges) && uint32(edges[n][0]>>32) == worse; n++ {
		e := decodeEdge(edges[n])
		if g.equal[e.Better] == e.Better && e.Score > d.Score && worse >= g.olds {
			g.equal[worse], d.Score, d.Kept, d.Drop = e.Better, e.Score, e.Better, true
		}
	}
	if !d.Drop {
		g.offer(worse, edges[:n])
		return edges[n:], Decision{Rank: worse}
	}
	if g.hasEquals.Has(int64(worse)) {
		g.scores = append(g.scores, rankScore{worse, d.Score})
	}
	return edges[n:], d
}

// offer passes the edges of a kept record. If such an edge leads to a dropped record, the kept
// record may be the most similar one for the equal records that follow.
func (g *Greedy) offer(kept uint32, edges [][2]uint64) {
	for _, x := range edges {
		e := decodeEdge(x)
		if g.equal[e.Better] == e.Better || !g.hasEquals.Has(int64(e.Better)) {
			continue
		}
		if s := g.scoreOf(e.Better); e.Score > s.score {
			s.score, g.equal[e.Better] = e.Score, kept
		}
	}
}
