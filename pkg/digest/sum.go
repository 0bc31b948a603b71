package digest

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"

	"github.com/zeebo/xxh3"
)

// A Sum is a 128-bit hash, or a 64-bit hash stored in Hi.
type Sum struct{ Hi, Lo uint64 }

// AppendHex appends the sum as 32 hex digits, Hi first.
func (s Sum) AppendHex(dst []byte) []byte {
	return AppendHex(AppendHex(dst, s.Hi, 16), s.Lo, 16)
}

// Parse parses the output of AppendHex.
func Parse(digits []byte) (s Sum, err error) {
	if len(digits) == 32 {
		var hi, lo bool
		s.Hi, hi = ParseHex(digits[:16])
		s.Lo, lo = ParseHex(digits[16:])
		if hi && lo {
			return s, nil
		}
	}
	return Sum{}, fmt.Errorf("invalid sum %.40q: want 32 hex digits", digits)
}

// AppendHex appends the lowest bits of v to dst as the given number of hex digits, which must be
// even and at most 16.
func AppendHex(dst []byte, v uint64, digits int) []byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], v)
	return hex.AppendEncode(dst, b[8-digits/2:])
}

// ParseHex parses 1 to 16 hex digits in lower case, such as those that AppendHex appends.
func ParseHex(digits []byte) (v uint64, ok bool) {
	for _, c := range digits {
		switch {
		case '0' <= c && c <= '9':
			v = v<<4 | uint64(c-'0')
		case 'a' <= c && c <= 'f':
			v = v<<4 | uint64(c-'a'+10)
		default:
			return 0, false
		}
	}
	return v, 0 < len(digits) && len(digits) <= 16
}

type xxh3Stream struct{ *xxh3.Hasher }

func (s xxh3Stream) Sum() Sum {
	sum := s.Sum128()
	return Sum{sum.Hi, sum.Lo}
}

type highwayStream struct{ hash.Hash }

func (s highwayStream) Sum() Sum { return ofBytes(s.Hash.Sum(nil)) }

// Mix is a bijection in which each bit of the result depends on all bits of x. It is the last step
// of splitmix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014).
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
