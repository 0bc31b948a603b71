package simhash

import (
	"math/bits"

	"doppel/pkg/spill/radix"
)

// A Search holds the settings of a search for pairs of similar hashes. Hashes are identified by
// their positions in the searched slice, which must hold fewer than 2^32 hashes.
type Search struct {
	Width int   // bits of a hash: 32, 64 or 128
	Max   int   // maximum distance of a pair
	Jobs  int   // number of goroutines, at least 1; does not affect the output
	Mem   int64 // approximate number of bytes that Within may use in addition to its index of the hashes
}

// A Pair describes two hashes within the maximum distance. A and B are the positions of the hashes,
// with A < B.
type Pair struct {
	A, B     uint32
	Distance uint8
	Rotation uint8 // number of bits by which the hashes were rotated when Rotation found the pair
}

// MaxDistance returns the greatest distance d for which d <= width and d/width < fraction, or -1 if
// there is none. It uses floating-point division, so that thresholds behave as in dedup.py.
func MaxDistance(fraction float64, width int) int {
	d := -1
	for d < width && float64(d+1)/float64(width) < fraction {
		d++
	}
	return d
}

// An item is a hash and its position, for sorting.
type item struct {
	hash Hash
	at   uint32
}

// shift returns the low 64 bits of the hash shifted right by n bits, n < 128.
func (h Hash) shift(n uint) uint64 {
	// In Go, shifts by 64 or more give 0. If n < 64, the third term is 0; if n > 64, the second is
	// 0; if n = 64, they are equal.
	return h.Lo>>n | h.Hi<<(64-n) | h.Hi>>(n-64)
}

// sortBits sorts items stably by the bits [low, low+n) of their hashes. spare is scratch space and
// must be as long as items.
func sortBits(items, spare []item, low, n int) {
	const hi, lo = 0, 1 // an item begins with the words Hi and Lo of its hash
	end := low + n
	sorted := radix.Sort(items, spare,
		radix.Bits{Word: lo, Low: min(low, 64), N: min(end, 64) - min(low, 64)},
		radix.Bits{Word: hi, Low: max(low, 64) - 64, N: max(end, 64) - max(low, 64)})
	if len(items) > 0 && &sorted[0] != &items[0] {
		copy(items, sorted)
	}
}

// A pairSet is a set of pairs. It is a hash table with open addressing that is at most half full.
type pairSet struct {
	slots []uint64 // A<<32 | B; 0 marks a free slot; no pair is 0, because A < B
	n     int
}

// add adds a pair, and reports whether it is new.
func (s *pairSet) add(a, b uint32) bool {
	if 2*s.n >= len(s.slots) {
		old := s.slots
		s.slots = make([]uint64, max(1024, 2*len(old)))
		for _, key := range old {
			if key != 0 {
				s.insert(key)
			}
		}
	}
	key := uint64(a)<<32 | uint64(b)
	if !s.insert(key) {
		return false
	}
	s.n++
	return true
}

func (s *pairSet) insert(key uint64) bool {
	mask := uint64(len(s.slots) - 1)
	at := key * 0x9e3779b97f4a7c15 >> (64 - bits.Len64(mask))
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		if s.slots[at] == key {
			return false
		}
	}
	s.slots[at] = key
	return true
}
