// Package best holds the first few of many by an order, and draws some of many at
// random by one that is made of their numbers.
//
// To pass one over costs a comparison with the last that is held, and to hold it a
// search and a move among those: for 50 of a million in no order 400 are held for a
// while, so a heap would gain nothing.
package best

import (
	"slices"

	"doppel/pkg/digest"
)

// A List holds the first Size of what is added, by Compare: All, the first one first.
type List[T any] struct {
	Size    int
	Compare func(a, b T) int
	All     []T
}

// Takes reports whether one would be held, so that what is not need not be copied.
func (l *List[T]) Takes(one T) bool {
	return len(l.All) < l.Size || l.Size > 0 && l.Compare(one, l.All[l.Size-1]) < 0
}

// Add adds one that would be held.
func (l *List[T]) Add(one T) {
	at, _ := slices.BinarySearchFunc(l.All, one, l.Compare)
	if len(l.All) == l.Size {
		l.All = l.All[:l.Size-1]
	}
	l.All = slices.Insert(l.All, at, one)
}

// Draw returns a number for the nth of what some are drawn from, the same each time. Those
// of the smallest numbers are drawn.
func Draw(seed uint64, n int64) uint64 {
	return digest.Mix(uint64(n) + seed*0x9e3779b97f4a7c15)
}
