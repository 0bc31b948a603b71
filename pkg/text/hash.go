package text

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"

	"doppel/pkg/text/utf"

	"github.com/minio/highwayhash"
)

// The hashes, which are pinned by testdata/vectors/shingles.tsv.
//
// A word of L bytes is read as eight-byte little-endian numbers, the last one
// filled up with zeros. Starting from h = L·lengthMul, each number x makes
// h = mum(h xor x, wordMul), where mum(a, b) is the high half xor the low half
// of the 128-bit product. A shingle of words h1…hN is
// mum(h1·B^(N-1) + … + hN xor shingleKey, shingleMul) with B = wordBase, so
// that the next one follows in two multiplications whatever N is. A shingle
// of N code points is the hash of its UTF-8 bytes as one word. A text of M < N
// units is the shingle of all M, with M·shortMul added before the last step.
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

// hashWord hashes b[start:end]; eight bytes behind end must be readable.
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

// hashWords hashes the words between the edges.
func (s *Shingler) hashWords() {
	n := len(s.edges) / 2
	if cap(s.words) < n {
		s.words = make([]uint64, n+n/2)
	}
	s.words = s.words[:n]
	hashAll(s.words, s.folded, s.edges)
}

// plainHashAll is hashAll in Go, for processors without the assembly. The
// assembly has no branch for words of up to sixteen bytes: whether one has more
// than eight is nothing that a processor could foresee, unless nearly every
// word is a character.
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
		step := w - old[i]*power // apart, for h waits only for its own product
		h = h*wordBase + step
		out[i] = finish(h)
	}
	return dst
}

// appendShort appends the one shingle of a text that is too short, if it has
// any word.
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

// windows appends the hash of every window of N code points of b, and returns
// where what is behind the first of the last one begins: 0 if b has no window. It
// copies b unless there is room for the padding.
func (s *Shingler) windows(dst []uint64, b []byte) (_ []uint64, rest int) {
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

// appendShortBytes appends the one shingle of a text of fewer than N units, if it
// has any.
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
