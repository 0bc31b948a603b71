// Package text turns a text into a set of hashed shingles: it normalises, finds the words, and
// hashes every run of N words or N code points.
//
// There is one pass over the bytes and one over the words. The text is folded 64 bytes at a
// time into a scratch buffer, with a bit mask of the bytes that belong to words; the edges of
// the mask delimit the words; a word is hashed by eight-byte loads; a shingle's hash is a
// polynomial of its words' hashes. No allocation per text, no copy per word. Shingler.plain of
// the tests is the direct implementation.
//
// ASCII needs only comparisons. For other text, masks mark where code points begin and whether
// they are complete; each code point then takes one lookup in a table of bytes (letter, word by
// itself, has another lower case), and the result is shifted to the code point's position, so
// that the word mask needs no branch. Incomplete UTF-8, code points of four bytes and those
// with a lower case of another length take the slow path, one at a time. NFKD finds the code
// points that decompose in the same way (see decomposition.go).
//
// Cost, with w3 and Balanced on one core of an AMD EPYC, in MB per second of processor time,
// before and with these tables:
//
//	English 1,400                Hindi 132 → 1,300
//	French 510 → 1,100           Thai 155 → 680
//	Polish 380 → 1,200           Chinese 159 → 740
//	Vietnamese 110 → 1,040       Japanese 155 → 710
//	Russian, Greek 77 → 1,200    Korean 151 → 1,160
//	Arabic, Hebrew 76 → 1,100    Go source 1,400
//
// Where each character is a word, the time is spent on the shingles: 4 ns each, as in English.
// Without the assembly, English runs at 590 and the others at 180 to 400. Aggressive runs at
// 330 to 690 where most text is normal already, at 160 for Vietnamese and 110 for Korean, which
// decompose nearly completely
//
//	go test -bench Scripts ./pkg/text
//
// Tried: lookups in Go only (Russian 250: the compiler's bit scan is slow on this processor),
// and one call of assembly for each step of a block (Russian 800, Arabic 850, Thai 570). A
// two-level table would gain little: a text of 5,000 different Han characters takes 6 % longer
// than one of a hundred.
package text

import (
	"fmt"
	"slices"
	"strconv"

	"doppel/pkg/digest"
)

// A Normalization says how a text is normalised before it is split into units.
type Normalization int

// The normalizations. Case and classes are Unicode's.
const (
	None         Normalization = iota // nothing
	Conservative                      // lower case, white space collapsed
	Balanced                          // also, everything but letters, marks, digits and connectors is space
	Aggressive                        // Balanced after NFKD
)

var normalizations = []string{"none", "conservative", "balanced", "aggressive"}

func (n Normalization) String() string { return normalizations[n] }

// Set parses a normalization's name; with String and Type it makes a flag.
func (n *Normalization) Set(s string) error {
	i := slices.Index(normalizations, s)
	if i < 0 {
		return fmt.Errorf("invalid normalization %q: want none, conservative, balanced or aggressive", s)
	}
	*n = Normalization(i)
	return nil
}

// Type names the value in help.
func (n *Normalization) Type() string { return "HOW" }

// A Unit is the element that shingles consist of.
type Unit byte

// The units.
const (
	Words Unit = 'w'
	Chars Unit = 'c' // code points
)

// A Shingling is a unit and how many of them make a shingle, written w3 or c5.
type Shingling struct {
	Unit Unit
	N    int // from 1 to maxShingle
}

// maxShingle is the largest N.
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

// Type names the value in help.
func (s *Shingling) Type() string { return "wN|cN" }

// Default is the default shingling and normalization of every tool.
var Default = Options{Shingling{Words, 3}, Balanced}

// Options say how a text becomes a shingle set.
type Options struct {
	Shingle   Shingling
	Normalize Normalization
}

// A Shingler hashes texts. It owns scratch memory, so each goroutine needs
// its own.
type Shingler struct {
	opt    Options
	folded []byte  // the text, lower case; padded by sixteen bytes
	edges  []int32 // start and end of each word in folded
	words  []uint64
	joined []byte

	decomposed   []byte   // the NFKD of the text under Aggressive, if it differs
	hashes       []uint64 // see Each
	lastWords    []uint64 // the last N-1 words before the segment, then the words of the segment
	lastUnits    []byte   // the same for units hashed byte by byte
	power        uint64   // wordBase^N
	key          []byte   // see NewKeyedShingler
	segmentLeast int      // minimum bytes of a segment
}

func NewShingler(o Options) *Shingler {
	s := &Shingler{opt: o, power: 1, segmentLeast: segmentBytes}
	for range o.Shingle.N {
		s.power *= wordBase
	}
	return s
}

// Append appends the hash of every shingle of the text to dst, in text order and with repeats.
// A text of 1 to N-1 units gives one hash, different from the hash of any N units except by
// accident. A text without units gives none.
func (s *Shingler) Append(dst []uint64, text []byte) []uint64 {
	return s.shingles(dst, text, func(dst []uint64) ([]uint64, bool) { return dst, true })
}

// Salt changes hashes so that sets with different salts share none except by accident, and sets
// with the same salt share the hashes they shared before: each salt is a bijection.
func Salt(hashes []uint64, salt uint64) {
	for i, hash := range hashes {
		hashes[i] = digest.Mix(hash ^ salt)
	}
}

// Normalized appends the normalised text to dst: its words with a space between them; under
// None, the text unchanged.
func (s *Shingler) Normalized(dst, text []byte) []byte {
	for part := range s.Parts(text) {
		dst = append(dst, part...)
	}
	return dst
}
