// Package exact hashes records to 128 bits, for finding those that are equal.
//
// XXH3-128 is the default: fast, and without a key, so that hashes of
// yesterday and of another machine can be compared. Among n records the
// chance that any two different ones share a hash is about n²/2^129: 1.5e-19
// for ten billion. People who want collisions can make them, though, so input
// that others write may be hashed by HighwayHash-128 with a secret key.
//
// Several fields are hashed with their lengths behind them, so that ("ab",
// "c") and ("a", "bc") differ.
package exact

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/minio/highwayhash"
	"github.com/zeebo/xxh3"
)

// A Sum is a 128-bit hash; it is written as 32 hex digits, Hi first.
type Sum struct{ Hi, Lo uint64 }

// A Hasher hashes records. Each goroutine needs its own.
type Hasher struct {
	key  []byte // nil: XXH3
	work []byte
}

// KeySize is the number of bytes in a key.
const KeySize = highwayhash.Size

// New returns a hasher by XXH3-128.
func New() *Hasher { return &Hasher{} }

// NewKeyed returns a hasher by HighwayHash-128 with a key of KeySize bytes.
func NewKeyed(key []byte) (*Hasher, error) {
	if len(key) != KeySize {
		return nil, fmt.Errorf("a key has %d bytes, not %d", KeySize, len(key))
	}
	return &Hasher{key: key}, nil
}

// Name names the hash in a scheme. A keyed one shows a check of its key, so
// that hashes under different keys are never compared.
func (h *Hasher) Name() string {
	if h.key == nil {
		return "xxh3-128"
	}
	check := h.sum(nil)
	return fmt.Sprintf("highway-128-%08x", check.Hi>>32)
}

// Sum hashes a text. Ends are the ends of its fields if it has several.
func (h *Hasher) Sum(text []byte, ends []int) Sum {
	if len(ends) < 2 {
		return h.sum(text)
	}
	return h.sum(h.withEnds(text, ends))
}

// withEnds returns the text with the ends of its fields behind it.
func (h *Hasher) withEnds(text []byte, ends []int) []byte {
	h.work = append(h.work[:0], text...)
	for _, end := range ends {
		h.work = binary.LittleEndian.AppendUint64(h.work, uint64(end))
	}
	return h.work
}

func (h *Hasher) sum(b []byte) Sum {
	if h.key == nil {
		s := xxh3.Hash128(b)
		return Sum{s.Hi, s.Lo}
	}
	s := highwayhash.Sum128(b, h.key)
	return Sum{binary.LittleEndian.Uint64(s[8:]), binary.LittleEndian.Uint64(s[:8])}
}

// AppendHex appends the 32 hex digits of the sum.
func (s Sum) AppendHex(dst []byte) []byte {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], s.Hi)
	binary.BigEndian.PutUint64(b[8:], s.Lo)
	return hex.AppendEncode(dst, b[:])
}

// Parse parses 32 hex digits.
func Parse(digits []byte) (Sum, error) {
	var b [16]byte
	if len(digits) != 32 {
		return Sum{}, fmt.Errorf("%q is not 32 hex digits", digits)
	}
	if _, err := hex.Decode(b[:], digits); err != nil {
		return Sum{}, fmt.Errorf("%q is not 32 hex digits", digits)
	}
	return Sum{binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])}, nil
}
