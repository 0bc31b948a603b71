// Package group decides from scored pairs which records are kept and which are
// dropped in whose favour.
//
// Greedy: in rank order, a record is dropped if a kept one is paired with it,
// in favour of the one with the highest score. It is the lexicographically
// first maximal independent set, so it depends on the ranking and the pairs
// but not on their order, and nobody is dropped by way of a third. Records with
// the score 1 are equal, and what is true of one of them is true of all, so
// they stand and fall together: the pairs of one are the pairs of all.
//
// Components: a record is dropped if it is connected with a better one over
// any number of pairs. The groups can drift: the lowest score of a pair in a
// group is reported with it.
//
// Both take the pairs as edges between ranks, 0 being the best. Greedy needs
// them sorted by the worse rank, which package spill does in bounded memory,
// and holds 4 bytes a record, and 16 for each that is dropped and has equals; Components
// needs no order and holds 20.
//
// Leaders decides as Greedy does, of pairs without scores, for which it asks.
package group

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

// Equal is the score of records that are equal.
const Equal = 1

// A Forest is the groups of ranks, or of other numbers, that are connected, by
// their best ranks. Disjoint groups may be used by several goroutines at once.
type Forest []uint32

// NewForest returns n groups of one.
func NewForest(n int) Forest {
	f := make(Forest, n)
	for i := range f {
		f[i] = uint32(i)
	}
	return f
}

// Root returns the best rank of a group, and shortens the way to it.
func (f Forest) Root(i uint32) uint32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// Join makes one group of two and returns its root.
func (f Forest) Join(a, b uint32) (root uint32) {
	a, b = f.Root(a), f.Root(b)
	root = min(a, b)
	f[max(a, b)] = root
	return root
}
