// Package group decides which records to keep and which to drop, given pairs of similar records.
// Every record is dropped in favour of a kept record.
//
// [Greedy] visits the records in rank order. It drops each record that is paired with kept records,
// in favour of the kept record with the highest score. The kept records are the lexicographically
// first maximal independent set of the graph of pairs, so the result depends on the ranking and on
// the pairs, but not on the order of the pairs. No record is dropped in favour of a dropped record.
// Two records with the score 1 are equal: a pair with one of them counts as a pair with the other.
//
// [Components] drops a record if a chain of pairs connects it with a better record. The ends of a
// chain may be dissimilar, so each decision includes the lowest of the scores in the group.
//
// [None] drops each record that has a pair.
//
// Old records are ranked before all others, and each of them is kept, whatever their pairs.
//
// Greedy, None and Components read the pairs as edges between ranks, where 0 is the best rank. Greedy
// uses package spill to sort the edges by the worse rank in bounded memory. It needs about 4 bytes
// per record, and 16 more for each dropped record that has equal records. Components does not sort
// and needs 24 bytes per record. None needs 12, and 16 more for each record with an edge to an old one.
//
// [Leaders] makes the same decisions as Greedy, but from pairs without scores, and computes only
// the scores that it needs.
package group

import "math"

// An Edge is a scored pair of ranks, with Better < Worse.
type Edge struct {
	Better, Worse uint32
	Score         float64
}

// A Decision tells whether the record with the given rank is dropped, and in favour of which
// record.
type Decision struct {
	Rank  uint32
	Drop  bool
	Kept  uint32  // if Drop is set, rank of the record that is kept instead, or Nobody
	Score float64 // if Drop is set, score with the kept record; NaN if the two are not a pair
	Least float64 // lowest of the scores in the group; set only by Components

	// Copies is the number of records that are similar to the record, including the record itself.
	// It is set if no new record of a group is kept.
	Copies int64
}

// Nobody is the rank of the kept record in a decision to drop a record in favour of no other one.
const Nobody = math.MaxUint32

// Equal is the score of equal records.
const Equal = 1

// A Forest is a disjoint-set forest of ranks or other numbers. The root of a group is its lowest
// number, which is its best rank. Several goroutines may use disjoint groups concurrently.
type Forest []uint32

// NewForest returns a forest of n groups, each of one number.
func NewForest(n int) Forest {
	f := make(Forest, n)
	for i := range f {
		f[i] = uint32(i)
	}
	return f
}

// Root returns the best rank in the group that contains i. It shortens the path to the root, so it
// modifies f.
func (f Forest) Root(i uint32) uint32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// Join merges the groups of a and b and returns the root of the result.
func (f Forest) Join(a, b uint32) (root uint32) {
	a, b = f.Root(a), f.Root(b)
	root = min(a, b)
	f[max(a, b)] = root
	return root
}
