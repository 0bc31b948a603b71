package quality

import (
	"encoding/binary"
	"math/bits"
)

// Hashes serve one text only, to tell its words, n-grams and lines apart; they
// are 64 bits wide, so that among a million different words the chance of
// taking any two for the same is 3e-8. They never leave the package.
const (
	mulA = 0x9e3779b97f4a7c15
	mulB = 0xd6e8feb86659fd93
)

// mix folds x into h: one wide multiplication, both halves kept.
func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^x^mulB, mulA)
	return hi ^ lo
}

// hashLower returns the hash of b with its ASCII letters in lower case. It
// takes eight bytes at a time; a word of English is one step.
func hashLower(b []byte) uint64 {
	h := uint64(len(b)) * mulA
	for ; len(b) > 8; b = b[8:] {
		h = mix(h, lower8(binary.LittleEndian.Uint64(b)))
	}
	return mix(h, lower8(tail(b)))
}

// tail returns up to eight bytes, zeros after them.
func tail(b []byte) (x uint64) {
	if cap(b) >= 8 { // the bytes behind b are read and shifted out again
		x = binary.LittleEndian.Uint64(b[:8])
		return x & (^uint64(0) >> (64 - 8*uint(len(b)))) // a shift by 64 gives 0
	}
	for i, c := range b {
		x |= uint64(c) << (8 * i)
	}
	return x
}

// lower8 makes lower case of the ASCII capitals among eight bytes.
func lower8(x uint64) uint64 {
	const ones = 0x0101010101010101
	low := x &^ (0x80 * ones)
	fromA := low + (0x80-'A')*ones
	pastZ := low + (0x80-'Z'-1)*ones
	return x | (fromA&^pastZ&^x&(0x80*ones))>>2
}
