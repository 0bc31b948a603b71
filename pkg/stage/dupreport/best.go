package dupreport

import "slices"

// A best holds the first few of many, by an order.
type best[T any] struct {
	size    int
	compare func(a, b T) int
	all     []T // the first one first
}

// takes reports whether one would be held.
func (b *best[T]) takes(one T) bool {
	return len(b.all) < b.size || b.size > 0 && b.compare(one, b.all[b.size-1]) < 0
}

// add adds one that would be held.
func (b *best[T]) add(one T) {
	at, _ := slices.BinarySearchFunc(b.all, one, b.compare)
	if len(b.all) == b.size {
		b.all = b.all[:b.size-1]
	}
	b.all = slices.Insert(b.all, at, one)
}

// draw returns a number for the nth of what some are drawn from: the finalizer of
// splitmix64. Those of the smallest numbers are drawn.
func draw(seed uint64, n int64) uint64 {
	x := uint64(n) + seed*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
