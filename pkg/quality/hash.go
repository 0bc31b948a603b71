package quality

import (
	"encoding/binary"
	"math/bits"
)

// The multipliers of the 64-bit hash that is used to compare the words and n-grams of a text. The
// chance that any two of a million different words have the same hash is 3e-8. The hashes are not
// used outside this package.
const (
	mulA = 0x9e3779b97f4a7c15
	mulB = 0xd6e8feb86659fd93
)

// mix returns a hash of h and x. The hash is the xor of both halves of a 128-bit product.
func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^x^mulB, mulA)
	return hi ^ lo
}

// hashLower returns the hash of b with its ASCII letters in lower case. It reads eight bytes at a
// time, so most English words take one step.
func hashLower(b []byte) uint64 {
	h := uint64(len(b)) * mulA
	for ; len(b) > 8; b = b[8:] {
		h = mix(h, lower8(binary.LittleEndian.Uint64(b)))
	}
	var last uint64  // the last bytes, at most eight, padded with zeros
	if cap(b) >= 8 { // read eight bytes, then clear those after the end of b
		// If b is empty, the shift by 64 gives a mask of 0.
		last = binary.LittleEndian.Uint64(b[:8]) & (^uint64(0) >> (64 - 8*uint(len(b))))
	} else {
		for i, c := range b {
			last |= uint64(c) << (8 * i)
		}
	}
	return mix(h, lower8(last))
}

// lower8 converts the ASCII letters among the eight bytes of x to lower case.
func lower8(x uint64) uint64 {
	const ones = 0x0101010101010101
	low := x &^ (0x80 * ones)
	fromA := low + (0x80-'A')*ones
	pastZ := low + (0x80-'Z'-1)*ones
	return x | (fromA&^pastZ&^x&(0x80*ones))>>2
}

// A table counts 64-bit hashes in a hash table with open addressing. Each call of reset begins a
// new use of the table, and a slot is free if it was filled in an earlier use. So reset need not
// clear the slots, which would be slow if a short text follows a long one.
type table struct {
	slots []slot
	mask  uint64
	use   uint32
}

type slot struct {
	hash  uint64
	use   uint32
	count uint32
}

// reset empties the table and makes room for n hashes.
func (t *table) reset(n int) {
	size := 1 << bits.Len(uint(2*n|63))
	if n > mostKept { // save memory
		size = 1 << bits.Len(uint(n+n/4))
	}
	if size > len(t.slots) {
		t.slots, t.use = make([]slot, size), 0
	}
	t.mask = uint64(size - 1)
	if t.use++; t.use == 0 {
		clear(t.slots)
		t.use = 1
	}
}

// find returns the index of the slot of the hash. If the hash is new, find adds it with count 0.
func (t *table) find(hash uint64) uint32 {
	slots := t.slots[:t.mask+1]
	for i := hash & t.mask; ; i = (i + 1) & t.mask {
		s := &slots[i]
		if s.use != t.use {
			*s = slot{hash: hash, use: t.use}
			return uint32(i)
		}
		if s.hash == hash {
			return uint32(i)
		}
	}
}

// add counts the hash and returns its count, which is 1 for a new hash.
func (t *table) add(hash uint64) uint32 {
	s := &t.slots[t.find(hash)]
	s.count++
	return s.count
}
