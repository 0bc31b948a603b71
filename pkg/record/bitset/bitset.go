// Package bitset implements sets of record ordinals.
package bitset

import "math/bits"

// A Set is a set of non-negative numbers, stored as a bitmap with one bit for each number up to the
// largest. The zero value is an empty set.
type Set []uint64

// Add adds n, which must not be negative, to the set.
func (b *Set) Add(n int64) {
	for int64(len(*b)) <= n/64 {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}

// Has reports whether n is in the set.
func (b Set) Has(n int64) bool { return n/64 < int64(len(b)) && b[n/64]>>(n%64)&1 != 0 }

// Len returns the number of elements. It takes time proportional to the size of the bitmap.
func (b Set) Len() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}
