// Package text turns a text into a set of hashed shingles: it normalizes the text, finds the words,
// and hashes every run of N consecutive words or code points.
//
// The code makes one pass over the bytes and one over the words. It folds the text into a scratch
// buffer, 64 bytes at a time, and computes a bit mask of the bytes that belong to words. Words
// begin and end where the mask changes. The hash of a word is computed from eight-byte loads, and
// the hash of a shingle from a polynomial of the hashes of its words. There is no allocation per
// text, and no copy per word. The tests compare the hashes with those of Shingler.plain, a simple
// implementation.
//
// ASCII is classified by comparisons. For other text, bit masks show where code points begin and
// whether they are complete. The class of each code point (see class) is looked up in a table of
// bytes and shifted to the code point's position, so that the mask of words is computed without
// branches. Invalid UTF-8, code points of four bytes, and code points whose lower case has another
// length are folded one at a time, which is slower. The code points that NFKD decomposes are also
// found with masks and a table (see decomposition.go).
//
// The throughput with w3 and Balanced on one core of an AMD EPYC, in MB per second of processor
// time, is as follows. A number before an arrow was measured without the tables of classes.
//
//	English 1,400                Hindi 132 → 1,300
//	French 510 → 1,100           Thai 155 → 680
//	Polish 380 → 1,200           Chinese 159 → 740
//	Vietnamese 110 → 1,040       Japanese 155 → 710
//	Russian, Greek 77 → 1,200    Korean 151 → 1,160
//	Arabic, Hebrew 76 → 1,100    Go source 1,400
//
// In scripts in which each character is a word, most of the time is spent on hashing shingles,
// which takes 4 ns per shingle, as in English. Without the assembly, the throughput is 590 for
// English and 180 to 400 for the others. With Aggressive, the throughput is 330 to 690 for text
// that is already mostly normalized, 160 for Vietnamese and 110 for Korean, in both of which nearly
// every character decomposes. To repeat the measurement, run
//
//	go test -bench Scripts ./pkg/text
//
// Two alternatives were slower: lookups in Go only (Russian 250, because the compiler's bit scan is
// slow on this processor), and a separate call of assembly for each step of a block (Russian 800,
// Arabic 850, Thai 570). A smaller, two-level table would gain little, because a text of 5,000
// different Han characters takes only 6 % longer than a text of a hundred.
package text

import (
	"fmt"
	"slices"
	"strconv"

	"doppel/pkg/digest"
)

// A Normalization is a way to normalize a text before it is split into units.
type Normalization int

// The normalizations. Letter case and character categories are those of Unicode. Under Balanced,
// all characters except letters, marks, numbers and connector punctuation count as space.
const (
	None         Normalization = iota // no change
	Conservative                      // lower case, and each run of white space becomes one space
	Balanced                          // like Conservative, but punctuation and symbols count as space
	Aggressive                        // like Balanced, but applied to the NFKD of the text
)

// Explained says in the words of a help text what the normalizations do.
const Explained = "conservative ignores case and the amount of white space, balanced also punctuation and symbols, aggressive also compatibility forms (NFKD)"

var normalizations = []string{"none", "conservative", "balanced", "aggressive"}

func (n Normalization) String() string { return normalizations[n] }

// Set parses the name of a normalization. It implements pflag.Value.
func (n *Normalization) Set(s string) error {
	i := slices.Index(normalizations, s)
	if i < 0 {
		return fmt.Errorf("invalid normalization %q: want none, conservative, balanced or aggressive", s)
	}
	*n = Normalization(i)
	return nil
}

// Type returns the name that help shows for the flag's argument.
func (n *Normalization) Type() string { return "HOW" }

// A Unit is what shingles consist of: words or code points.
type Unit byte

// The units.
const (
	Words Unit = 'w'
	Chars Unit = 'c' // code points
)

// A Shingling, written as w3 or c5, gives the unit of shingles and their length in units.
type Shingling struct {
	Unit Unit
	N    int // from 1 to maxShingle
}

// maxShingle is the largest N that Shingling.Set accepts.
const maxShingle = 64

func (s Shingling) String() string { return string(rune(s.Unit)) + strconv.Itoa(s.N) }

// Set parses a shingling such as w3 or c5.
func (s *Shingling) Set(v string) error {
	if len(v) > 1 && (v[0] == byte(Words) || v[0] == byte(Chars)) {
		n, err := strconv.Atoi(v[1:])
		if err == nil && 1 <= n && n <= maxShingle && strconv.Itoa(n) == v[1:] {
			*s = Shingling{Unit(v[0]), n}
			return nil
		}
	}
	return fmt.Errorf("invalid shingle %q: want wN or cN with N from 1 to %d", v, maxShingle)
}

// Type returns the name that help shows for the flag's argument.
func (s *Shingling) Type() string { return "wN|cN" }

// Default is the default shingling and normalization of every tool.
var Default = Options{Shingling{Words, 3}, Balanced}

// Options are the parameters that determine the shingles of a text.
type Options struct {
	Shingle   Shingling
	Normalize Normalization
}

// A Shingler computes the hashes of the shingles of texts. It reuses its buffers, so each goroutine
// needs its own Shingler.
type Shingler struct {
	opt    Options
	folded []byte  // folded text, followed by padding
	edges  []int32 // start and end of each word in folded
	words  []uint64
	joined []byte // buffer for the units whose bytes are hashed

	decomposed []byte // buffer for the NFKD of the text under Aggressive
	power      uint64 // wordBase^N
	key        []byte // key given to NewSetShingler, or nil
	bare       bool   // a text without units has a hash
}

// NewShingler returns a Shingler with the given options. Its hashes do not depend on a key.
func NewShingler(o Options) *Shingler {
	s := &Shingler{opt: o, power: 1}
	for range o.Shingle.N {
		s.power *= wordBase
	}
	return s
}

// Append appends the hash of every shingle of the text to dst, in text order and with repeats. A
// text of 1 to N-1 units has one hash, which differs from the hash of any N units, barring a
// collision. A text without units has none, except with NewSetShingler.
func (s *Shingler) Append(dst []uint64, text []byte) []uint64 {
	defer s.shrink()
	if s.key != nil || s.opt.Shingle.Unit == Chars {
		return s.appendBytewise(dst, text)
	}
	s.fold(text)
	count := len(s.edges) / 2
	if cap(s.words) < count {
		s.words = make([]uint64, count+count/2)
	}
	words := s.words[:count]
	hashAll(words, s.folded, s.edges)
	switch {
	case count >= s.opt.Shingle.N:
		return s.combine(dst, words)
	case count == 0:
		return s.appendBare(dst, text)
	}
	return appendShort(dst, words)
}

// appendBytewise is like Append, but hashes the bytes of each shingle. It is used for shingles of
// code points and, if there is a key, for shingles of words.
func (s *Shingler) appendBytewise(dst []uint64, text []byte) []uint64 {
	b := s.joined[:0]
	if s.opt.Shingle.Unit == Words { // the units are words, each followed by a space
		if b = s.appendWords(b, text); len(b) > 0 {
			b = append(b, ' ')
		}
	} else {
		b = s.Normalized(b, text)
	}
	b = slices.Grow(b, len(padding))
	s.joined = b
	switch hashes, found := s.appendSlices(dst, b); {
	case found:
		return hashes
	case len(b) == 0:
		return s.appendBare(dst, text)
	}
	return s.appendShortBytes(dst, b)
}

// mostKept is the maximum length of a buffer that is kept for the next text.
const mostKept = 1 << 22

// Reuse returns buf without its elements, for the next text, or nil if buf is so long that its
// memory should be freed. So a long text does not take memory until the end of the run.
func Reuse[T any](buf []T) []T {
	if cap(buf) > mostKept {
		return nil
	}
	return buf[:0]
}

// shrink frees the buffers after a long text.
func (s *Shingler) shrink() {
	if cap(s.folded)+cap(s.joined)+cap(s.decomposed) > mostKept {
		*s = Shingler{opt: s.opt, power: s.power, key: s.key, bare: s.bare}
	}
}

// Salt replaces each hash by a hash that also depends on salt. Sets with different salts have no
// hashes in common, barring collisions. Sets with the same salt have as many hashes in common as
// before, because the replacement is a bijection.
func Salt(hashes []uint64, salt uint64) {
	for i, hash := range hashes {
		hashes[i] = digest.Mix(hash ^ salt)
	}
}

// Normalized appends the normalized text to dst: its words, separated by single spaces. Under None,
// it appends the text unchanged.
func (s *Shingler) Normalized(dst, text []byte) []byte {
	if s.opt.Normalize == None {
		return append(dst, text...)
	}
	return s.appendWords(dst, text)
}

// appendWords appends the words of the text to dst, separated by single spaces.
func (s *Shingler) appendWords(dst, text []byte) []byte {
	defer s.shrink()
	s.fold(text)
	for i := 0; i < len(s.edges); i += 2 {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = append(dst, s.folded[s.edges[i]:s.edges[i+1]]...)
	}
	return dst
}
