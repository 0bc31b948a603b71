// Package jaccard compares sets of hashed shingles.
//
// A set is a sorted slice of different 64-bit hashes. Two different shingles share a hash once
// in 2^64, so for texts the similarity is exact except with a probability of n²/2^65, 3e-14 for
// texts of a thousand shingles.
package jaccard

import (
	"slices"

	"doppel/pkg/spill/radix"
)

// Set sorts the hashes and drops repeats, in place. Tmp is scratch memory; Set returns it, at
// least as long as hashes.
func Set(hashes, tmp []uint64) (set, _ []uint64) {
	if cap(tmp) < len(hashes) {
		tmp = make([]uint64, len(hashes)*2)
	}
	// Sorting by the highest bits, two digits, leaves hashes almost sorted. Insertion sort
	// finishes, or a general sort if the elements are not hashes.
	n := 2 * radix.Width(len(hashes))
	if sorted := radix.Sort(hashes, tmp[:len(hashes)], radix.Bits{Low: 64 - n, N: n}); len(hashes) > 0 && &sorted[0] != &hashes[0] {
		copy(hashes, sorted)
	}
	if !insertionSort(hashes, 4*len(hashes)) {
		slices.Sort(hashes)
	}
	return slices.Compact(hashes), tmp
}

// insertionSort sorts with at most the given number of moves, or returns false.
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

// Similarity returns the Jaccard similarity of sets of sizes na and nb with this many shared
// elements; for two empty sets it is 0.
func Similarity(na, nb, shared int) float64 {
	if na+nb == 0 {
		return 0
	}
	return float64(shared) / float64(na+nb-shared)
}

// Containment returns the shared part of a set of size n.
func Containment(n, shared int) float64 {
	if n == 0 {
		return 0
	}
	return float64(shared) / float64(n)
}
