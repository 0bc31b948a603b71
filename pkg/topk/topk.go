// Package topk keeps the first few of many values by an order, and draws a random sample by a
// hash of their numbers.
//
// Rejecting a value costs a comparison with the last one kept, and keeping it a search and a
// move: for the first 50 of a million in random order, 400 are kept for a while, so a heap
// would gain nothing.
package topk

import (
	"slices"

	"doppel/pkg/digest"
)

// A List keeps the first Size of the added values by Compare. They are in All, in order.
type List[T any] struct {
	Size    int
	Compare func(a, b T) int
	All     []T
}

// Takes reports whether Add would keep the value, so that others need not be copied.
func (l *List[T]) Takes(one T) bool {
	return len(l.All) < l.Size || l.Size > 0 && l.Compare(one, l.All[l.Size-1]) < 0
}

// Add adds a value that Takes accepts.
func (l *List[T]) Add(one T) {
	at, _ := slices.BinarySearchFunc(l.All, one, l.Compare)
	if len(l.All) == l.Size {
		l.All = l.All[:l.Size-1]
	}
	l.All = slices.Insert(l.All, at, one)
}

// Draw returns a reproducible random number for the nth value. A sample consists of the values
// with the smallest numbers.
func Draw(seed uint64, n int64) uint64 {
	return digest.Mix(uint64(n) + seed*0x9e3779b97f4a7c15)
}
