// Package ordinals holds sets of the ordinals of records.
package ordinals

import "math/bits"

// A Set is a set of numbers from 0, at a bit each up to the largest.
type Set []uint64

// Add adds n.
func (b *Set) Add(n int64) {
	for int64(len(*b)) <= n/64 {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}

// Has reports whether n is in the set.
func (b Set) Has(n int64) bool { return n/64 < int64(len(b)) && b[n/64]>>(n%64)&1 != 0 }

// Len returns how many numbers are in the set.
func (b Set) Len() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}
