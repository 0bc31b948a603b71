// Package jaccard compares sets of hashed shingles.
//
// A set is a sorted slice of different 64-bit hashes. Two different shingles
// share a hash once in 2^64, so for texts the similarity is exact but for
// odds of n²/2^65, 3e-14 for texts of a thousand shingles.
package jaccard

import (
	"slices"

	"doppel/pkg/spill/radix"
)

// Set sorts the hashes and drops repeats, in place. Tmp is scratch memory that
// is returned, as long as hashes at least.
func Set(hashes, tmp []uint64) (set, _ []uint64) {
	if cap(tmp) < len(hashes) {
		tmp = make([]uint64, len(hashes)*2)
	}
	sort(hashes, tmp[:len(hashes)])
	return slices.Compact(hashes), tmp
}

// sort sorts by the highest bits, two digits of them, which leaves hashes all
// but sorted, and finishes by insertion, or by a general sort where they are no
// hashes.
func sort(a, tmp []uint64) {
	n := 2 * radix.Width(len(a))
	if sorted := radix.Sort(a, tmp, radix.Bits{Low: 64 - n, N: n}); len(a) > 0 && &sorted[0] != &a[0] {
		copy(a, sorted)
	}
	if !insertion(a, 4*len(a)) {
		slices.Sort(a)
	}
}

// insertion sorts by at most the given number of moves, or returns false.
func insertion(a []uint64, moves int) bool {
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

// Need returns how many elements sets of sizes na and nb must share at least
// for a similarity of t.
func Need(na, nb int, t float64) int {
	sum := float64(na + nb)
	need := int(sum * t / (1 + t))
	for need > 0 && Similarity(na, nb, need-1) >= t {
		need--
	}
	for need <= min(na, nb) && Similarity(na, nb, need) < t {
		need++
	}
	return need
}

// Similarity returns the Jaccard similarity of sets of sizes na and nb that
// share this many elements; that of two empty sets is 0.
func Similarity(na, nb, shared int) float64 {
	if na+nb == 0 {
		return 0
	}
	return float64(shared) / float64(na+nb-shared)
}

// Containment returns the part of a set of size n that is shared.
func Containment(n, shared int) float64 {
	if n == 0 {
		return 0
	}
	return float64(shared) / float64(n)
}
