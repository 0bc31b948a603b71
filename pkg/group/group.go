// Package group decides from scored pairs which records to keep, and which to drop in favour of
// which kept record.
//
// Greedy: in rank order, a record is dropped if a kept record is paired with it, in favour of
// the kept record with the highest score. The kept records are the lexicographically first
// maximal independent set, so the result depends on the ranking and the pairs but not on
// their order, and no record is dropped because of a dropped record. Records with the score 1
// are equal and share the same decision: a pair of one is a pair of all.
//
// Components: a record is dropped if any chain of pairs connects it with a better record.
// The groups can drift: the lowest score of a pair in a group is reported with it.
//
// Both take the pairs as edges between ranks, 0 being the best. Greedy needs them sorted by the
// worse rank, which package spill does in bounded memory, and holds 4 bytes per record, and 16
// for each dropped record that has equals; Components needs no order and holds 20 bytes per
// record.
//
// Leaders decides like Greedy, but from pairs without scores, and asks for the scores it needs.
package group

// An Edge is a scored pair of ranks, Better < Worse.
type Edge struct {
	Better, Worse uint32
	Score         float64
}

// A Decision is the result for the record of a rank.
type Decision struct {
	Rank  uint32
	Drop  bool
	Kept  uint32  // the kept rank in its place
	Score float64 // score of the two; NaN if they are not a pair
	Least float64 // Components: the lowest score in the group
}

// Equal is the score of equal records.
const Equal = 1

// A Forest holds groups of connected ranks, or other numbers; each group is represented by its
// best rank. Several goroutines may use disjoint groups at once.
type Forest []uint32

// NewForest returns n groups of one rank each.
func NewForest(n int) Forest {
	f := make(Forest, n)
	for i := range f {
		f[i] = uint32(i)
	}
	return f
}

// Root returns the best rank of a group, and shortens the path to it.
func (f Forest) Root(i uint32) uint32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// Join merges two groups and returns the root.
func (f Forest) Join(a, b uint32) (root uint32) {
	a, b = f.Root(a), f.Root(b)
	root = min(a, b)
	f[max(a, b)] = root
	return root
}
