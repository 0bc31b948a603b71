package text

import (
	"bytes"

	"github.com/minio/highwayhash"
)

// The hashes of a shingler without a key are known to everybody, and two texts
// with the same ones can be made. With a key of 32 bytes a shingle is the
// HighwayHash-64 of its bytes: of the normalised words, a space behind each, or of
// the code points. Nothing that depends on texts is hashed in any other way, so who
// lacks the key makes shingles of different texts equal by accident alone.
//
// Cost: each shingle is hashed by itself, which takes 22 times as long as a shingle of
// three English words without a key, on a busy machine
//
//	go test -bench Keyed ./pkg/text
//
// [Shingler.plainKeyed] of the tests is the same in the obvious way.

// NewKeyedShingler returns a shingler whose hashes depend on a key of 32 bytes;
// without a key it is one of [NewShingler].
func NewKeyedShingler(o Options, key []byte) *Shingler {
	s := NewShingler(o)
	s.key = key
	return s
}

// keyed is Append under a key.
func (s *Shingler) keyed(dst []uint64, text []byte) []uint64 {
	if s.opt.Shingle.Unit == Chars {
		b := s.characters(text)
		return s.slide(dst, b, runeLen)
	}
	s.fold(text)
	s.joined = append(s.join(s.joined[:0]), ' ')
	if len(s.joined) == 1 {
		return dst
	}
	return s.slide(dst, s.joined, func(b []byte) int { return bytes.IndexByte(b, ' ') + 1 })
}

// slide appends the hash of every N of the units in b that follow one another, and
// that of all if there are fewer. The first unit of what is left of b has the length
// that first returns.
func (s *Shingler) slide(dst []uint64, b []byte, first func([]byte) int) []uint64 {
	for start, end, units := 0, 0, 0; end < len(b); {
		end += first(b[end:])
		if units++; units < s.opt.Shingle.N && end < len(b) {
			continue
		}
		dst = append(dst, highwayhash.Sum64(b[start:end], s.key))
		start += first(b[start:])
	}
	return dst
}

// characters returns the text whose code points are the units.
func (s *Shingler) characters(text []byte) []byte {
	if s.opt.Normalize == None {
		return text
	}
	s.fold(text)
	s.joined = s.join(s.joined[:0])
	return s.joined
}
