package measure

import (
	"slices"

	"doppel/pkg/record/bitset"
)

// A PairSet is a set of pairs of records. A record with few pairs takes 4 bytes for each; one with
// many takes a bit for each record, so the set never exceeds n²/8 bytes by much for n records.
type PairSet struct{ rows []pairRow }

// A pairRow holds the second records of the pairs with the same first record, as a list or, if that
// is smaller, as bits.
type pairRow struct {
	list []uint32
	bits bitset.Set
}

// NewPairSet returns an empty set of pairs of n records.
func NewPairSet(n int) *PairSet { return &PairSet{make([]pairRow, n)} }

// Add adds a pair of records, in either order.
func (s *PairSet) Add(a, b uint32) {
	a, b = min(a, b), max(a, b)
	r, words := &s.rows[a], len(s.rows)/64+1
	switch {
	case r.bits != nil:
		r.bits.Add(int64(b))
	case len(r.list) < 2*words:
		r.list = append(r.list, b)
	default:
		r.bits = make(bitset.Set, words)
		for _, b := range append(r.list, b) {
			r.bits.Add(int64(b))
		}
		r.list = nil
	}
}

// Has reports whether the set has a pair of records, in either order.
func (s *PairSet) Has(a, b uint32) bool {
	a, b = min(a, b), max(a, b)
	if r := &s.rows[a]; r.bits == nil {
		return slices.Contains(r.list, b)
	} else {
		return r.bits.Has(int64(b))
	}
}

// Bytes returns the memory that the set takes.
func (s *PairSet) Bytes() (n int) {
	for _, r := range s.rows {
		n += 48 + 4*cap(r.list) + 8*cap(r.bits)
	}
	return n
}
