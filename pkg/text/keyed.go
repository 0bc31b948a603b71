package text

import (
	"bytes"

	"doppel/pkg/text/utf"

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
// Shingler.plainKeyed of the tests is the same in the obvious way.

// NewKeyedShingler returns a shingler whose hashes depend on a key of 32 bytes;
// without a key it is one of [NewShingler].
func NewKeyedShingler(o Options, key []byte) *Shingler {
	s := NewShingler(o)
	s.key = key
	return s
}

// slide appends the hash of every N of the units in b that follow one another, and
// returns where what is behind the first of the last N begins: 0 if there are fewer.
func (s *Shingler) slide(dst []uint64, b []byte) (_ []uint64, rest int) {
	if s.key == nil {
		return s.windows(dst, b)
	}
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
	return utf.Len(b)
}
