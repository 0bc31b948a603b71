package simhash

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"doppel/pkg/text/utf"

	"github.com/go-faster/city"
	"github.com/zeebo/xxh3"
)

// A Func names the hash function that is applied to features.
type Func string

const (
	City Func = "city" // CityHash 1.1 with the width of the simhash
	XXH3 Func = "xxh3" // XXH3 with the width of the simhash; for 32 bits, the low half of the 64-bit XXH3
)

// A signer computes simhashes of texts. It is not safe for concurrent use.
//
// The features are the n-grams of code points (addChars) or of words (addWords); every occurrence
// of a feature is a vote. A byte that is not valid UTF-8 counts as a code point. As in dedup.py,
// bit 0 of a feature's hash votes for the most significant bit of the simhash, and the low word of
// a 128-bit CityHash is the high word of the feature's hash. So with City, simhashes equal those of
// dedup.py bit for bit.
//
// Signing takes about 6 ns per code point for 64 bits; see BenchmarkSum.
type signer struct {
	grams int
	width int
	hash  func(gram []byte) Hash
	lo    lane
	hi    lane // high words of the hashes; used only if width is 128
	n     int  // number of features in each lane's block
	short int  // hashes of n-grams of up to this many bytes are cached
	memo  [1 << memoBits]memo
}

type lane struct {
	vote
	block [16]uint64
}

// newSigner returns a signer for simhashes of 32, 64 or 128 bits. grams is the number of code
// points or words in a feature; it must be at least 1.
func newSigner(bits, grams int, by Func) (*signer, error) {
	hash := map[Func]map[int]func([]byte) Hash{
		City: {32: city32, 64: city64, 128: city128},
		XXH3: {
			32:  func(b []byte) Hash { return Hash{Lo: xxh3.Hash(b) & (1<<32 - 1)} },
			64:  func(b []byte) Hash { return Hash{Lo: xxh3.Hash(b)} },
			128: func(b []byte) Hash { return Hash(xxh3.Hash128(b)) },
		},
	}[by][bits]
	if hash == nil || grams < 1 {
		return nil, fmt.Errorf("unknown simhash: %d bits, hash %q, %d-grams", bits, by, grams)
	}
	s := &signer{grams: grams, width: bits, hash: hash}
	if by == City {
		s.short = memoBytes
	}
	return s, nil
}

func city32(b []byte) Hash { return Hash{Lo: uint64(city.Hash32(b))} }
func city64(b []byte) Hash { return Hash{Lo: city.Hash64(b)} }
func city128(b []byte) Hash {
	h := city.Hash128(b)
	return Hash{h.Low, h.High}
}

// addChars adds the n-grams of a text. It returns the position of the second code point of the
// last n-gram, or 0 if the text has no n-gram.
func (s *signer) addChars(text []byte) (start int) {
	end := 0 // where the last code point of the next gram starts
	for range s.grams - 1 {
		if end == len(text) {
			return 0
		}
		end += utf.Len(text[end:])
	}
	for end < len(text) {
		if n := s.addASCII(text[start:]); n > 0 {
			start, end = start+n, end+n
			continue
		}
		end += utf.Len(text[end:])
		if gram := text[start:end]; len(gram) > s.short {
			s.Add(s.hash(gram))
		} else {
			key := uint64(len(gram)) << 56
			for i, c := range gram {
				key |= uint64(c) << (8 * i)
			}
			s.Add(s.cachedHash(key, gram))
		}
		start += utf.Len(text[start:])
	}
	return start
}

// addWords adds the word n-grams of a text in which single spaces separate the words. It returns
// the position of the second word of the last feature, or 0 if the text has no feature.
func (s *signer) addWords(text []byte) (start int) {
	words := 1
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] != ' ' {
			continue
		}
		if words < s.grams {
			words++
			continue
		}
		if i > start {
			s.Add(s.hash(text[start:i]))
		}
		if n := bytes.IndexByte(text[start:], ' '); n >= 0 {
			start += n + 1
		} else {
			start = len(text)
		}
	}
	return start
}

// A memo is a cached hash of a gram of at most seven bytes; its key is the gram and the length of
// the gram. The cache makes CityHash faster, because texts repeat their bigrams and a lookup costs
// less than CityHash. XXH3 costs no more than a lookup, so it is not cached.
type memo struct {
	key  uint64
	hash Hash
}

const (
	memoBits  = 12
	memoBytes = 7
)

// addASCII adds the grams in the ASCII bytes at the start of the text, and returns the number of
// grams added. It reads eight bytes at a time, so it may omit the last few grams.
func (s *signer) addASCII(text []byte) int {
	end := 0
	for end+8 <= len(text) && binary.LittleEndian.Uint64(text[end:])&0x8080808080808080 == 0 {
		end += 8
	}
	ascii := text[:end]
	n := 0
	if s.grams > s.short {
		for ; n+s.grams <= len(ascii); n++ {
			s.Add(s.hash(ascii[n : n+s.grams]))
		}
		return n
	}
	mask := uint64(1)<<(8*s.grams) - 1
	for ; n+8 <= len(ascii); n++ {
		gram := ascii[n : n+8]
		x := binary.LittleEndian.Uint64(gram) & mask
		s.Add(s.cachedHash(x|uint64(s.grams)<<56, gram[:s.grams]))
	}
	return n
}

// cachedHash returns the hash of the gram with the given key, from the cache if possible.
func (s *signer) cachedHash(key uint64, gram []byte) Hash {
	m := &s.memo[key*0x9e3779b97f4a7c15>>(64-memoBits)]
	if m.key != key {
		*m = memo{key, s.hash(gram)}
	}
	return m.hash
}
