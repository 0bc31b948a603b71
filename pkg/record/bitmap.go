package record

import "math/bits"

// A Bitmap is a set of numbers from 0, at a bit each up to the largest.
type Bitmap []uint64

// Set adds n.
func (b *Bitmap) Set(n int64) {
	for int64(len(*b)) <= n/64 {
		*b = append(*b, 0)
	}
	(*b)[n/64] |= 1 << (n % 64)
}

// Has reports whether n is in the set.
func (b Bitmap) Has(n int64) bool { return n/64 < int64(len(b)) && b[n/64]>>(n%64)&1 != 0 }

// Len returns how many numbers are in the set.
func (b Bitmap) Len() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}
