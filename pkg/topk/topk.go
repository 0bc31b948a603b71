// Package topk finds the k smallest of many values in a single pass. It also draws random samples:
// Draw assigns a random number to each value, and the values with the k smallest numbers are the
// sample.
//
// Rejecting a value takes one comparison with the largest kept value. Keeping a value takes a
// binary search, and moves the larger values. Of a million values in random order, only about 550
// are ever added to a list of 50, so a heap would not be noticeably faster.
package topk

import (
	"slices"

	"doppel/pkg/digest"
)

// A List keeps the smallest of the added values, at most Size of them. They are in the field All,
// sorted by Compare.
type List[T any] struct {
	Size    int
	Compare func(a, b T) int
	All     []T
}

// Takes reports whether Add would keep the value. A caller can check this before it copies the
// value.
func (l *List[T]) Takes(one T) bool {
	return len(l.All) < l.Size || l.Size > 0 && l.Compare(one, l.All[l.Size-1]) < 0
}

// Add adds a value for which Takes returns true. If the list is full, Add removes the largest
// value.
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
