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
	b := text
	if s.opt.Shingle.Unit == Words {
		s.fold(text)
		if s.joined = s.join(s.joined[:0]); len(s.joined) > 0 {
			s.joined = append(s.joined, ' ')
		}
		b = s.joined
	} else {
		b = s.characters(text)
	}
	dst, rest := s.slide(dst, b)
	if rest == 0 {
		return s.appendShortBytes(dst, b)
	}
	return dst
}

// slide appends the hash of every N of the units in b that follow one another, and
// returns where what is behind the first of the last N begins: 0 if there are fewer.
func (s *Shingler) slide(dst []uint64, b []byte) (_ []uint64, rest int) {
	for end, units := 0, 0; end < len(b); {
		end += s.unitLen(b[end:])
		if units++; units >= s.opt.Shingle.N {
			dst = append(dst, highwayhash.Sum64(b[rest:end], s.key))
			rest += s.unitLen(b[rest:])
		}
	}
	return dst, rest
}

// unitLen returns the length of the unit that b begins with: a word with the space
// behind it, or a code point.
func (s *Shingler) unitLen(b []byte) int {
	if s.opt.Shingle.Unit == Words {
		return bytes.IndexByte(b, ' ') + 1
	}
	return runeLen(b)
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
