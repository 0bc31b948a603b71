package ids

import (
	"math/bits"
	"slices"
)

// This file sorts ids by their keys, numbers of 63 bits, in 4 bytes an id.
//
// They are dealt into buckets by the high bits of their keys, in one look at all, and
// each bucket, which a cache holds, is then sorted by words of a key's low bits and the
// number of the id. A sort that compares ids wherever they are misses the cache twice
// each time.

// dealBits is how many of the high bits deal the keys.
const dealBits = 11

// A deal says which bucket a key belongs to, and what is left of it there.
type deal struct {
	key   func(i uint32) uint64
	low   uint64 // the least key
	shift int    // the bits that do not deal
}

func newDeal(n int, key func(i uint32) uint64) deal {
	low, high := key(0), key(0)
	for i := range uint32(n) {
		low, high = min(low, key(i)), max(high, key(i))
	}
	return deal{key, low, max(0, bits.Len64(high-low)-dealBits)}
}

func (d deal) bucket(i uint32) uint64 { return (d.key(i) - d.low) >> d.shift }

// word returns what sorts an id in its bucket; the shift is at most 32.
func (d deal) word(i uint32) uint64 { return (d.key(i)-d.low)&(1<<d.shift-1)<<32 | uint64(i) }

// sort returns the order of n ids. Where keys are too far apart for a word, or a bucket
// holds too many of them for a cache, it compares.
func (d deal) sort(n int, compare func(i, j uint32) int) []uint32 {
	order, starts := d.deal(n)
	var words []uint64
	for b, start := range starts[:len(starts)-1] {
		bucket := order[start:starts[b+1]]
		if d.shift > 32 || len(bucket) > n/16 {
			slices.SortFunc(bucket, compare)
			continue
		}
		words = words[:0]
		for _, i := range bucket {
			words = append(words, d.word(i))
		}
		slices.Sort(words)
		for at, word := range words {
			bucket[at] = uint32(word)
		}
	}
	return order
}

// deal returns the ids by bucket, each in the order of the numbers, and where the buckets start.
func (d deal) deal(n int) (order []uint32, starts [1<<dealBits + 1]uint32) {
	for i := range uint32(n) {
		starts[d.bucket(i)+1]++
	}
	for b := 1; b < len(starts); b++ {
		starts[b] += starts[b-1]
	}
	next := starts
	order = make([]uint32, n)
	for i := range uint32(n) {
		at := &next[d.bucket(i)]
		order[*at] = i
		*at++
	}
	return order, starts
}
