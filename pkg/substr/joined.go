package substr

import (
	"math"
	"slices"
)

// suffixes holds the sorted suffixes of two texts, or of parts of them. The texts are joined with a
// separator that occurs in neither, and parts with separators that occur once, so the common prefix of
// two suffixes never extends across one.
type suffixes struct {
	b   int32   // offset of the second text in the joined texts
	pos []int32 // offsets of the suffixes, in sorted order
	lcp []int32 // lcp[i] is the length of the common prefix of suffixes pos[i-1] and pos[i]
	n   int     // length of the joined texts

	fromA, fromB []int32 // by offset in the joined parts of a text, the offset in the text
}

// joinTexts sorts the suffixes of two texts with a total length of at most [MaxLen].
func joinTexts[T Symbol](a, b []T) *suffixes {
	return joinParts(a, b, []part{{0, int32(len(a))}}, []part{{0, int32(len(b))}})
}

// joinParts sorts the suffixes of parts of two texts.
func joinParts[T Symbol](a, b []T, inA, inB []part) *suffixes {
	// Number the symbols from 1, so that the numbers can index small arrays; 0 is the separator.
	// This may change the order of the symbols, which does not matter.
	top := T(0)
	for _, text := range [][]T{a, b} {
		for _, c := range text {
			top = max(top, c)
		}
	}
	number, k := make([]int32, int(top)+1), 1
	for _, text := range [][]T{a, b} {
		for _, c := range text {
			if number[c] == 0 {
				number[c] = int32(k)
				k++
			}
		}
	}
	switch separators := len(inA) + len(inB) - 2; {
	case k+separators <= 1<<8:
		return joinAs[uint8](a, b, inA, inB, number, k)
	case k+separators <= 1<<16:
		return joinAs[uint16](a, b, inA, inB, number, k)
	}
	return joinAs[int32](a, b, inA, inB, number, k)
}

// joinAs numbers the separators of parts from k.
func joinAs[C code, T Symbol](a, b []T, inA, inB []part, number []int32, k int) *suffixes {
	j := &suffixes{}
	var text []C
	join := func(whole []T, parts []part) (from []int32) {
		for i, p := range parts {
			if i > 0 {
				text, from = append(text, C(k)), append(from, parts[i-1].end)
				k++
			}
			for at := p.start; at < p.end; at++ {
				text, from = append(text, C(number[whole[at]])), append(from, at)
			}
		}
		return from
	}
	size := 0
	for _, p := range slices.Concat(inA, inB) {
		size += int(p.end-p.start) + 1
	}
	text = make([]C, 0, size)
	j.fromA = join(a, inA)
	text = append(text, 0)
	j.b = int32(len(text))
	j.fromB = join(b, inB)
	j.n, j.pos, j.lcp = len(text), make([]int32, len(text)), make([]int32, len(text))
	suffixArray(text, j.pos, k)
	fillLCP(j, text, make([]int32, len(text)))
	return j
}

// fillLCP fills j.lcp. It computes the lengths of the common prefixes in text order, in which each
// length is at least the previous length minus one (J. Kärkkäinen, G. Manzini, S. Puglisi, Permuted
// longest-common-prefix array, CPM 2009). Other methods access three arrays in random order; this
// method accesses only two, and its loads are independent of each other.
func fillLCP[C code](j *suffixes, text []C, plcp []int32) {
	before := int32(-1)
	for _, p := range j.pos {
		plcp[p] = before
		before = p
	}
	size := 0
	for p, q := range plcp {
		if q < 0 {
			size = 0
		} else {
			size += commonPrefix(text[p+size:], text[int(q)+size:])
		}
		plcp[p] = int32(size)
		size = max(0, size-1)
	}
	for i, p := range j.pos {
		j.lcp[i] = plcp[p]
	}
}

// commonPrefix returns the length of the longest common prefix of a and b.
func commonPrefix[C code](a, b []C) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	b = b[:len(a)]
	for i, c := range a {
		if c != b[i] {
			return i
		}
	}
	return len(a)
}

const infinite = math.MaxInt32
