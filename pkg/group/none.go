package group

import (
	"cmp"
	"math"
	"slices"

	"doppel/pkg/spill"
)

// None drops each new record that has an edge. It counts the edges of each record, including those
// that follow from equal records. Among the records with an edge, only old ones are kept.
type None struct {
	edges
	old []Edge // the best edge of each class with an old record, sorted by the class
}

// NewNone returns a None for ranks below n that keeps up to mem bytes of edges in memory. The
// records with the first olds ranks are old.
func NewNone(n, olds int, mem int64) *None { return &None{edges: newEdges(n, olds, mem)} }

// Add stores an edge for Decide. Every edge must have been passed to Join before the first call of
// Add.
func (n *None) Add(e Edge) error { return n.addEdge(e) }

// Decide calls emit with the decision on every rank, in ascending order. A decision to drop a record
// names the old record with the highest score, if the record has an edge with an old one. Decide may
// be called only once.
func (n *None) Decide(emit func(Decision) error) error {
	sizes := make([]uint32, len(n.equal)) // by the best rank of a class of equal records
	for rank := range n.equal {
		sizes[n.equal.Root(uint32(rank))]++
	}
	copies := slices.Clone(sizes) // number of records in the class and in those with an edge to it
	var room spill.Room[[2]uint64]
	for p := range partitions {
		edges, err := n.sorter.SortedIn(&room, p)
		if err != nil {
			return err
		}
		last := Edge{}
		for _, x := range edges {
			e := decodeEdge(x)
			if e.Better != last.Better || e.Worse != last.Worse {
				copies[e.Worse] += sizes[e.Better]
				copies[e.Better] += sizes[e.Worse]
			}
			if last = e; e.Better < n.olds && e.Worse >= n.olds {
				n.addOld(e)
			}
		}
	}
	for i := range n.equal {
		rank := uint32(i)
		d := Decision{Rank: rank}
		if root := n.equal.Root(rank); copies[root] > 1 {
			if d.Copies = int64(copies[root]); rank >= n.olds {
				d.Drop = true
				d.Kept, d.Score = n.oldOf(root)
			}
		}
		if err := emit(d); err != nil {
			return err
		}
	}
	return n.sorter.Close()
}

// addOld adds an edge with an old record. The edges must be sorted by their worse records.
func (n *None) addOld(e Edge) {
	if last := len(n.old) - 1; last < 0 || n.old[last].Worse != e.Worse {
		n.old = append(n.old, e)
	} else if e.Score > n.old[last].Score {
		n.old[last] = e
	}
}

// oldOf returns the most similar old record of a class and its score, or Nobody and NaN.
func (n *None) oldOf(class uint32) (uint32, float64) {
	if class < n.olds {
		return class, Equal
	}
	at, found := slices.BinarySearchFunc(n.old, class, func(e Edge, rank uint32) int { return cmp.Compare(e.Worse, rank) })
	if !found {
		return Nobody, math.NaN()
	}
	return n.old[at].Better, n.old[at].Score
}
