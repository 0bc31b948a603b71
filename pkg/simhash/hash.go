// Package simhash signs texts with simhashes of 32, 64 or 128 bits and finds
// the pairs of signatures that differ in few bits.
//
// A simhash (M. Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002) is
// a vote: every feature of a text is hashed, and every bit of the hash is a vote for or against the
// corresponding bit of the signature. Signatures of texts with many features in common differ in
// few bits.
//
// Three methods find similar pairs in a slice of hashes:
//
//   - [Search.Rotation] sorts the hashes, compares neighbours, rotates all hashes
//     by one bit, and repeats. It takes linear time, but may miss pairs.
//   - [Search.Within] finds every pair within k bits, by sorting on several
//     choices of bits.
//   - [Search.All] compares every hash with every other.
//
// With the hash function [City], signatures and the results of Rotation equal those of dedup.py,
// an older Python script that finds similar text files.
package simhash

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"

	"doppel/pkg/digest"
)

// A Hash is a simhash of up to 128 bits as one number. A hash of 64 or 32 bits is in the low bits
// of Lo; all higher bits are 0.
type Hash struct{ Hi, Lo uint64 }

// distance returns the number of bits in which two hashes differ.
func distance(a, b Hash) int {
	return bits.OnesCount64(a.Hi^b.Hi) + bits.OnesCount64(a.Lo^b.Lo)
}

// compare compares hashes as numbers, for sorting.
func (h Hash) compare(other Hash) int {
	if h.Hi != other.Hi {
		return cmp.Compare(h.Hi, other.Hi)
	}
	return cmp.Compare(h.Lo, other.Lo)
}

// RotateRight returns h rotated right by n bits, 0 <= n < width. The width of h must be 32, 64 or
// 128 bits.
func (h Hash) RotateRight(n, width int) Hash {
	switch {
	case width == 32:
		return Hash{Lo: uint64(bits.RotateLeft32(uint32(h.Lo), -n))}
	case width == 64:
		return Hash{Lo: bits.RotateLeft64(h.Lo, -n)}
	case n >= 64:
		h, n = Hash{h.Lo, h.Hi}, n-64
	}
	// If n is 0, the shifts by 64 yield 0 in Go.
	return Hash{h.Hi>>n | h.Lo<<(64-n), h.Lo>>n | h.Hi<<(64-n)}
}

// Binary returns the hash as 128 binary digits. A narrower hash is padded with zeros.
func (h Hash) Binary() string { return fmt.Sprintf("%064b%064b", h.Hi, h.Lo) }

// AppendHex appends the hash to dst as width/4 hexadecimal digits.
func (h Hash) AppendHex(dst []byte, width int) []byte {
	if width == 128 {
		return digest.Sum(h).AppendHex(dst)
	}
	return digest.AppendHex(dst, h.Lo, width/4)
}

var errHex = errors.New("invalid simhash: want 8, 16 or 32 hex digits")

// ParseHex parses the output of AppendHex and returns the hash and its width.
func ParseHex(s string) (h Hash, width int, err error) {
	if len(s) != 8 && len(s) != 16 && len(s) != 32 {
		return Hash{}, 0, errHex
	}
	digits := []byte(s)
	hi, lo := true, true
	if len(s) == 32 {
		h.Hi, hi = digest.ParseHex(digits[:16])
		digits = digits[16:]
	}
	if h.Lo, lo = digest.ParseHex(digits); !hi || !lo {
		return Hash{}, 0, errHex
	}
	return h, 4 * len(s), nil
}
