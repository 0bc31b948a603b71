package lsh

import "math/bits"

// A Filter tells which buckets may be among those that were added: never wrongly
// that one is not (Bloom, Space/time trade-offs in hash coding, 1970).
//
// Today's signatures against those of years: the keys of today go into a Filter,
// and of the old ones only those are held that it lets through. Of a bucket that
// today's records are not in there is no pair, so no pair is lost by it, and the
// old ones cost a pass and no memory.
//
// With 4 bits a bucket in m bits, n buckets let a fraction (1-e^(-4n/m))^4 of the
// others through: 0.2% at 16 bits a bucket, 9% at 5.
type Filter struct {
	words []uint64
	shift uint // of a hash, to a bit
}

// filterBits is how many bits of a Filter a bucket has.
const filterBits = 4

// NewFilter returns an empty filter of at most mem bytes, and at least 8.
func NewFilter(mem int64) *Filter {
	words := bits.Len64(uint64(max(8, mem)/8)) - 1
	return &Filter{words: make([]uint64, 1<<words), shift: uint(64 - 6 - words)}
}

// Add adds a bucket.
func (f *Filter) Add(bucket uint64) {
	for i := range uint64(filterBits) {
		bit := f.bit(bucket, i)
		f.words[bit>>6] |= 1 << (bit & 63)
	}
}

// Has reports whether a bucket may have been added. It may be called by several
// goroutines, once all are.
func (f *Filter) Has(bucket uint64) bool {
	for i := range uint64(filterBits) {
		bit := f.bit(bucket, i)
		if f.words[bit>>6]&(1<<(bit&63)) == 0 {
			return false
		}
	}
	return true
}

// bit returns the ith bit of a bucket.
func (f *Filter) bit(bucket, i uint64) uint64 { return Hash(bucket+i*mulA) >> f.shift }
