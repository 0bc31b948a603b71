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

// The hashes are defined as follows. A test compares the hashes with the examples in the file
// testdata/vectors/shingles.tsv.
//
// A word of L bytes is read as a sequence of eight-byte little-endian numbers, the last one padded
// with zeros. The hash h of the word starts as L·lengthMul, and each number x changes it to mum(h
// xor x, wordMul), where mum(a, b) is the high half xor the low half of the 128-bit product. A
// shingle of words with the hashes h1…hN has the hash mum(S xor shingleKey, shingleMul), where S is
// the polynomial h1·B^(N-1) + … + hN with B = wordBase. From one shingle to the next, S is updated
// with two multiplications, whatever N is. A shingle of N code points is hashed like a shingle of a
// single word that consists of its UTF-8 bytes. A text of M < N units has one shingle of all M
// units, and M·shortMul is added to its S.
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

// hashWord returns the hash of the word b[start:end]. b must have at least eight bytes after end.
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

// plainHashAll is hashAll in Go. In most texts, a processor cannot predict which words have more
// than eight bytes, so the assembly hashes words of up to sixteen bytes without a branch.
func plainHashAll(words []uint64, folded []byte, edges []int32) {
	for i := range words {
		words[i] = hashWord(folded, edges[2*i], edges[2*i+1])
	}
}

// combine appends the hashes of the shingles of words to dst. There must be at least N words.
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
		step := w - old[i]*power // computed separately from h, to shorten the dependency chain of h
		h = h*wordBase + step
		out[i] = finish(h)
	}
	return dst
}

// appendShort appends the hash of the single shingle of a text that has fewer than N words. It
// appends nothing if there are no words.
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

// appendWindows appends the hash of every window of N consecutive code points of b; found is false
// if there are none. It copies b unless b has spare capacity for the padding that hashWord needs.
func (s *Shingler) appendWindows(dst []uint64, b []byte) (_ []uint64, found bool) {
	end, units, n := 0, 0, len(b)
	for ; end < n && units < s.opt.Shingle.N; units++ {
		end += utf.Len(b[end:n])
	}
	if units < s.opt.Shingle.N {
		return dst, false
	}
	dst = slices.Grow(dst, utf8.RuneCount(b)-s.opt.Shingle.N+1)
	b = append(b, padding[:]...)
	for start := 0; ; {
		dst = append(dst, finish(hashWord(b, int32(start), int32(end))))
		if end >= n {
			return dst, true
		}
		start += utf.Len(b[start:n])
		end += utf.Len(b[end:n])
	}
}

// appendShortBytes appends the hash of the single shingle of a text that has fewer than N units. It
// appends nothing for an empty text.
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

// Without a key, anyone can compute the hashes, and construct different texts with the same hashes.
// With a key of 32 bytes, the hash of a shingle is the HighwayHash-64 of its bytes: the normalized
// words, each followed by a space, or the code points. Then every hash depends on the key, so
// someone who does not know the key cannot construct such texts.
//
// Hashing the bytes of each shingle is slow: for shingles of three English words, it takes 22 times
// as long as hashing without a key (measured on a busy machine). To repeat the measurement, run
//
//	go test -bench Keyed ./pkg/text
//
// The tests compare the hashes with those of Shingler.plainKeyed, a simple implementation.

// NewSetShingler returns a Shingler for the sets by which texts are compared. If a text is not empty
// but has no units, such as a text of punctuation, its set has one hash, which only equal texts
// have. If key is not nil, it must have 32 bytes, and the hashes depend on it.
func NewSetShingler(o Options, key []byte) *Shingler {
	s := NewShingler(o)
	s.key, s.bare = key, true
	return s
}

// appendBare appends the hash of a text without units.
func (s *Shingler) appendBare(dst []uint64, text []byte) []uint64 {
	switch {
	case !s.bare || len(text) == 0:
		return dst
	case s.key != nil:
		// No shingle ends with this byte, which is not valid UTF-8, after a text of white space.
		return append(dst, highwayhash.Sum64(append(bytes.Clone(text), 0xff), s.key))
	}
	units := uint64(maxShingle + 1) // more than any short text has
	return append(dst, finish(hashWord(append(bytes.Clone(text), padding[:]...), 0, int32(len(text)))+units*shortMul))
}

// appendSlices appends the hash of every shingle of N consecutive units of b; found is false if
// there are none.
func (s *Shingler) appendSlices(dst []uint64, b []byte) (_ []uint64, found bool) {
	if s.key == nil {
		return s.appendWindows(dst, b)
	}
	start, units := 0, 0
	for end := 0; end < len(b); {
		end += s.unitLen(b[end:])
		if units++; units >= s.opt.Shingle.N {
			dst = append(dst, highwayhash.Sum64(b[start:end], s.key))
			start += s.unitLen(b[start:])
		}
	}
	return dst, units >= s.opt.Shingle.N
}

// unitLen returns the length in bytes of the first unit of b: a word and the space after it, or a
// code point.
func (s *Shingler) unitLen(b []byte) int {
	if s.opt.Shingle.Unit == Words {
		return bytes.IndexByte(b, ' ') + 1
	}
	return utf.Len(b)
}
