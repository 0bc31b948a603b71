package text

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"doppel/pkg/text/utf"

	"github.com/minio/highwayhash"
)

// The hashes, pinned by testdata/vectors/shingles.tsv.
//
// A word of L bytes is read as eight-byte little-endian numbers, the last one filled up with
// zeros. Starting from h = L·lengthMul, each number x makes h = mum(h xor x, wordMul), where
// mum(a, b) is the high half xor the low half of the 128-bit product. A shingle of words h1…hN
// is mum(h1·B^(N-1) + … + hN xor shingleKey, shingleMul) with B = wordBase, so that each next
// shingle costs two multiplications for any N. A shingle of N code points is the hash of its
// UTF-8 bytes as one word. A text of M < N units has one shingle of all M, with M·shortMul
// added before the last step.
const (
	lengthMul  = 0x9e3779b97f4a7c15
	wordMul    = 0xa0761d6478bd642f
	wordBase   = 0xd1342543de82ef95
	shingleKey = 0x8ebc6af09c88c6e3
	shingleMul = 0xe7037ed1a0b428db
	shortMul   = 0x589965cc75374cc3
)

func mum(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func finish(h uint64) uint64 { return mum(h^shingleKey, shingleMul) }

// hashWord hashes b[start:end]; the eight bytes after end must be readable.
func hashWord(b []byte, start, end int32) uint64 {
	n := end - start
	h := uint64(n) * lengthMul
	for ; n > 8; n -= 8 {
		h = mum(h^binary.LittleEndian.Uint64(b[start:]), wordMul)
		start += 8
	}
	x := binary.LittleEndian.Uint64(b[start:]) & (^uint64(0) >> (64 - 8*uint(n)))
	return mum(h^x, wordMul)
}

// plainHashAll is hashAll in Go. The assembly has no branch for words of up to sixteen bytes: a
// processor cannot predict whether a word has more than eight, unless nearly every word is one
// character.
func plainHashAll(words []uint64, folded []byte, edges []int32) {
	for i := range words {
		words[i] = hashWord(folded, edges[2*i], edges[2*i+1])
	}
}

// combine appends the shingles of the words, at least N, to dst.
func (s *Shingler) combine(dst, words []uint64) []uint64 {
	n := s.opt.Shingle.N
	var h uint64
	for _, w := range words[:n] {
		h = h*wordBase + w
	}
	at, rest := len(dst), words[n:]
	dst = slices.Grow(dst, 1+len(rest))[:at+1+len(rest)]
	dst[at] = finish(h)
	out, old, power := dst[at+1:][:len(rest)], words[:len(rest)], s.power
	for i, w := range rest {
		step := w - old[i]*power // a separate value, so that h waits only for its own product
		h = h*wordBase + step
		out[i] = finish(h)
	}
	return dst
}

// appendShort appends the one shingle of a text of fewer than N words; a text without words has
// none.
func appendShort(dst, words []uint64) []uint64 {
	if len(words) == 0 {
		return dst
	}
	h := uint64(len(words)) * shortMul
	var sum uint64
	for _, w := range words {
		sum = sum*wordBase + w
	}
	return append(dst, finish(h+sum))
}

// appendWindows appends the hash of every window of N code points of b, and returns where the
// second code point of the last window begins: 0 if b has no window. It copies b unless there
// is room for the padding.
func (s *Shingler) appendWindows(dst []uint64, b []byte) (_ []uint64, rest int) {
	end, units, n := 0, 0, len(b)
	for ; end < n && units < s.opt.Shingle.N; units++ {
		end += utf.Len(b[end:n])
	}
	if units < s.opt.Shingle.N {
		return dst, 0
	}
	b = append(b, padding[:]...)
	for start := 0; ; {
		dst = append(dst, finish(hashWord(b, int32(start), int32(end))))
		start += utf.Len(b[start:n])
		if end >= n {
			return dst, start
		}
		end += utf.Len(b[end:n])
	}
}

// appendShortBytes appends the one shingle of a text of fewer than N units; an empty text has
// none.
func (s *Shingler) appendShortBytes(dst []uint64, b []byte) []uint64 {
	switch n := len(b); {
	case n == 0:
		return dst
	case s.key != nil:
		return append(dst, highwayhash.Sum64(b, s.key))
	default:
		units := uint64(utf8.RuneCount(b))
		return append(dst, finish(hashWord(append(b, padding[:]...), 0, int32(n))+units*shortMul))
	}
}

// Without a key, anyone can compute the hashes and construct two texts that share them. With a
// key of 32 bytes, a shingle is the HighwayHash-64 of its bytes: the normalised words, each
// followed by a space, or the code points. No other hash depends on the text, so without the
// key, shingles of different texts are equal only by accident.
//
// Cost: each shingle is hashed separately, which takes 22 times as long as a shingle of three
// English words without a key, on a busy machine
//
//	go test -bench Keyed ./pkg/text
//
// Shingler.plainKeyed of the tests is the direct implementation.

// NewKeyedShingler returns a shingler with hashes that depend on a key of 32 bytes; with a nil
// key it is [NewShingler].
func NewKeyedShingler(o Options, key []byte) *Shingler {
	s := NewShingler(o)
	s.key = key
	return s
}

// appendSlices appends the hash of every N consecutive units of b, and returns where the second
// unit of the last N begins: 0 if b has fewer than N.
func (s *Shingler) appendSlices(dst []uint64, b []byte) (_ []uint64, rest int) {
	if s.key == nil {
		return s.appendWindows(dst, b)
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

// unitLen returns the length of the first unit of b: a word and the space after it, or a code
// point.
func (s *Shingler) unitLen(b []byte) int {
	if s.opt.Shingle.Unit == Words {
		return bytes.IndexByte(b, ' ') + 1
	}
	return utf.Len(b)
}
