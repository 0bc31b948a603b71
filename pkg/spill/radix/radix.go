// Package radix sorts elements that begin with 64-bit words. A sort key consists of neighbouring
// bits of one word.
//
// The sort is stable and proceeds from the least significant digit to the most significant. A digit
// has eight bits, or eleven if there are at least 4,096 elements. Eleven bits need 2,048 counters,
// which still fit into the first-level CPU cache, and save more time in passes than the counters
// cost. The sort skips bits that are equal in all elements. Fewer than 64 elements are sorted by
// insertion.
//
// Cost: two reads of each element per digit, and a second slice of the same size. Sorting 64-bit
// keys, each with a 64-bit value, takes 16 ns per element for up to 100,000 elements, and 35 to 45
// ns for a million (go test -bench . ./pkg/spill/radix). A variant that used only eight-bit digits,
// and counted all digits in a single pass, took 21 ns and 33 ns for these sizes.
package radix

import (
	"math/bits"
	"unsafe"
)

// Bits selects N bits, beginning at bit Low, of the 64-bit word at index Word of an element; Low+N
// is at most 64.
type Bits struct{ Word, Low, N int }

// First selects all 64 bits of the first word.
var First = Bits{N: 64}

const (
	few      = 64      // for fewer elements, Sort uses an insertion sort
	many     = 1 << 12 // minimum number of elements for wide digits
	narrow   = 8       // number of bits in a narrow digit
	wide     = 11      // number of bits in a wide digit
	wordSize = 8       // bytes
)

// Sort sorts elements by keys; the last key is the most significant. An element must be an integer,
// an array or a struct, and must begin with the 64-bit words that the keys refer to. Both slices
// must have the same length, which must be less than 2^32. Sort returns the slice that holds the
// sorted elements.
func Sort[E any](a, tmp []E, keys ...Bits) []E {
	for _, k := range keys {
		if k.Low < 0 || k.Low+k.N > 64 || k.Word < 0 || uintptr(k.Word+1)*wordSize > unsafe.Sizeof(*new(E)) {
			panic("radix: bits outside of an element")
		}
		if len(a) < few {
			insertionSort(a, k)
			continue
		}
		a, tmp = sortDigits(a, tmp, k)
	}
	return a
}

// Width returns the number of bits per digit in a sort of n elements.
func Width(n int) int {
	if n < many {
		return narrow
	}
	return wide
}

// wordOf returns the 64-bit word with index n of an element.
func wordOf[E any](e *E, n int) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(e), n*wordSize))
}

// sortDigits sorts digit by digit. Its first result is the slice that holds the sorted elements,
// and the second result is the other slice. sortDigits skips the bits that are equal in all
// elements, which it finds in a single pass. Such bits are common in a partition of a larger sort.
func sortDigits[E any](a, tmp []E, k Bits) (_, _ []E) {
	var counts [1 << wide]uint32
	width, end := Width(len(a)), k.Low+k.N
	for left := varyingBits(a, k); left != 0; {
		k.Low = bits.TrailingZeros64(left)
		k.N = min(width, end-k.Low)
		left = left >> k.Low >> k.N << k.N << k.Low
		if scatter(tmp, a, &counts, k) {
			a, tmp = tmp, a
		}
	}
	return a, tmp
}

// varyingBits returns the bits of a key in which elements differ. If the search for these bits
// would cost more than it saves, varyingBits returns all bits of the key.
func varyingBits[E any](a []E, k Bits) (varying uint64) {
	mask := ^uint64(0) >> (64 - k.N) << k.Low
	if k.N <= 2*Width(len(a)) {
		return mask
	}
	first := wordOf(&a[0], k.Word)
	for i := range a {
		varying |= wordOf(&a[i], k.Word) ^ first
	}
	return varying & mask
}

// scatter copies the elements to dst, sorted by one digit. If the digit is the same in all
// elements, it copies nothing and returns false.
func scatter[E any](dst, src []E, counts *[1 << wide]uint32, k Bits) bool {
	low, mask := k.Low&63, uint64(1)<<k.N-1
	clear(counts[:mask+1])
	for i := range src {
		counts[wordOf(&src[i], k.Word)>>low&mask&(1<<wide-1)]++
	}
	if counts[wordOf(&src[0], k.Word)>>low&mask] == uint32(len(src)) {
		return false
	}
	sum := uint32(0)
	for d, n := range counts[:mask+1] {
		counts[d], sum = sum, sum+n
	}
	for i := range src {
		d := wordOf(&src[i], k.Word) >> low & mask & (1<<wide - 1)
		dst[counts[d]] = src[i]
		counts[d]++
	}
	return true
}

func insertionSort[E any](a []E, k Bits) {
	high := 64 - k.Low - k.N // number of bits above the key, to be shifted out
	key := func(e *E) uint64 { return wordOf(e, k.Word) << high >> (64 - k.N) }
	for i := 1; i < len(a); i++ {
		e, j := a[i], i
		for x := key(&e); j > 0 && key(&a[j-1]) > x; j-- {
			a[j] = a[j-1]
		}
		a[j] = e
	}
}
