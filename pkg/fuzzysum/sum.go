package fuzzysum

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/bits"
)

// A Sum is a fuzzy checksum. The bit of bucket 0 is the most significant bit of the first byte.
type Sum [Buckets / 8]byte

// A Kind says how a sum was computed.
type Kind int

const (
	Fuzzy  Kind = iota // each bit says whether a bucket's count exceeds the threshold
	Text               // a digest of the normalized text, which has too few words for a fuzzy sum
	Counts             // a digest of the counts, used if the fuzzy sum would be all zeros or all ones, or would start like a digest
)

// String returns "fuzzy", "text" or "counts".
func (k Kind) String() string { return [...]string{"fuzzy", "text", "counts"}[k] }

// Empty is the sum of a text that is empty or has only white space. Messages with this sum may be
// unrelated.
var Empty = Sum{
	0xe8, 0xac, 0x7e, 0x3b, 0x0c, 0x44, 0x29, 0x8f,
	0xc1, 0xc1, 0x49, 0xaf, 0xbf, 0x4c, 0x89, 0x96,
}

var ones = Sum{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
}

// String returns the 32 hexadecimal digits of s, in lower case.
func (s Sum) String() string { return hex.EncodeToString(s[:]) }

// ErrSum is returned by Parse for a text that is not 32 hexadecimal digits.
var ErrSum = errors.New("invalid sum: want 32 hex digits")

// Parse parses the 32 hexadecimal digits of a Sum. It accepts upper and lower case.
func Parse(text []byte) (Sum, error) {
	var s Sum
	if len(text) != hex.EncodedLen(len(s)) {
		return s, ErrSum
	}
	if _, err := hex.Decode(s[:], text); err != nil {
		return s, ErrSum
	}
	return s, nil
}

// Exact reports whether s is a digest. The first five digits of a digest are e8ac7, and no fuzzy
// sum starts with these digits. Digests can be compared only for equality; their distance means
// nothing.
func (s Sum) Exact() bool {
	return s[0] == 0xe8 && s[1] == 0xac && s[2]>>4 == 7
}

// Distance returns the number of bits in which a and b differ, from 0 to 128.
func Distance(a, b Sum) int {
	return bits.OnesCount64(binary.LittleEndian.Uint64(a[:8])^binary.LittleEndian.Uint64(b[:8])) +
		bits.OnesCount64(binary.LittleEndian.Uint64(a[8:])^binary.LittleEndian.Uint64(b[8:]))
}
