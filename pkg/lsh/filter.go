package lsh

import (
	"math/bits"
	"sync/atomic"
)

// A Filter is a set of buckets with false positives but no false negatives (Bloom, Space/time
// trade-offs in hash coding, 1970).
//
// It saves memory when a few new signatures are compared with many old ones: the new keys are
// added to a Filter, and only the old keys that pass it are stored. The other old keys share no
// bucket with a new record, so no pair is lost.
//
// Add sets 4 bits per bucket. A filter of m bits with n buckets passes a fraction
// (1-e^(-4n/m))^4 of all other buckets: 0.2% if m is 16n, 9% if m is 5n.
type Filter struct {
	words []uint64
	shift uint // bitOf shifts a hash right by this number of bits
}

// filterBits is the number of bits that Add sets per bucket.
const filterBits = 4

// NewFilter returns an empty filter of at most mem bytes, but at least 8 bytes.
func NewFilter(mem int64) *Filter {
	words := bits.Len64(uint64(max(8, mem)/8)) - 1
	return &Filter{words: make([]uint64, 1<<words), shift: uint(64 - 6 - words)}
}

// Add adds a bucket to the filter. Several goroutines may call Add concurrently.
func (f *Filter) Add(bucket uint64) {
	for i := range uint64(filterBits) {
		bit := f.bitOf(bucket, i)
		atomic.OrUint64(&f.words[bit>>6], 1<<(bit&63))
	}
}

// Has reports whether a bucket may have been added. After the last call of Add, several goroutines
// may call Has concurrently.
func (f *Filter) Has(bucket uint64) bool {
	for i := range uint64(filterBits) {
		bit := f.bitOf(bucket, i)
		if f.words[bit>>6]&(1<<(bit&63)) == 0 {
			return false
		}
	}
	return true
}

// bitOf returns the position of a bucket's ith bit in the filter.
func (f *Filter) bitOf(bucket, i uint64) uint64 { return Hash(bucket+i*mulA) >> f.shift }
