// Package jaccard compares sets of hashed shingles.
//
// A set is a sorted slice of different 64-bit hashes. Two different shingles have the same hash
// with probability 2^-64. So the similarity of two texts is exact except with probability
// n²/2^65, where n is the number of their shingles; that is 3e-14 for a thousand shingles.
package jaccard

import (
	"slices"

	"doppel/pkg/spill/radix"
)

// Set sorts hashes and drops repeats, in place. The second argument is scratch memory; Set returns
// it, enlarged if necessary, for use in the next call.
func Set(hashes, tmp []uint64) (set, _ []uint64) {
	if cap(tmp) < len(hashes) {
		tmp = make([]uint64, len(hashes)*2)
	}
	// A radix sort by the highest bits, in two passes, leaves hashes almost sorted, so an
	// insertion sort finishes quickly. If the elements are not hashes, a general sort may be
	// needed.
	n := 2 * radix.Width(len(hashes))
	if sorted := radix.Sort(hashes, tmp[:len(hashes)], radix.Bits{Low: 64 - n, N: n}); len(hashes) > 0 && &sorted[0] != &hashes[0] {
		copy(hashes, sorted)
	}
	if !insertionSort(hashes, 4*len(hashes)) {
		slices.Sort(hashes)
	}
	return slices.Compact(hashes), tmp
}

// insertionSort sorts a slice. It stops and returns false if sorting takes more than the given
// number of moves.
func insertionSort(a []uint64, moves int) bool {
	for i := 1; i < len(a); i++ {
		v, j := a[i], i
		for ; j > 0 && a[j-1] > v; j-- {
			a[j] = a[j-1]
		}
		a[j] = v
		if moves -= i - j; moves < 0 {
			return false
		}
	}
	return true
}

// Similarity returns the Jaccard similarity of sets of sizes na and nb with the given number of
// shared elements. For two empty sets, it returns 0.
func Similarity(na, nb, shared int) float64 {
	if na+nb == 0 {
		return 0
	}
	return float64(shared) / float64(na+nb-shared)
}

// Containment returns the fraction of a set's n elements that are shared. For an empty set, it
// returns 0.
func Containment(n, shared int) float64 {
	if n == 0 {
		return 0
	}
	return float64(shared) / float64(n)
}
