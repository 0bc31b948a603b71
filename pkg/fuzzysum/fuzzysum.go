// Package fuzzysum computes the fuzzy checksum of a message. Few or none of its 128 bits change if
// the message is sent again, re-wrapped, or given another footer.
//
// The method comes from an earlier program, also called fuzzysum; the manual page fuzzysum(1) cites
// it. Each word is hashed into one of 128 buckets. A bucket's bit is 1 if its count exceeds the
// mean of all counts by more than t standard deviations, where t is Student's t at a given
// confidence level. Adding or removing a few words moves few counts across that threshold, and the
// order of the words does not matter.
//
// For a short text the counts are too small: one word changes many bits, and unrelated texts share
// bits. So the sum of a text with fewer than [Options].MinWords words is a digest of its normalized
// content instead, marked by its first five digits (see [Sum.Exact]).
//
// The manual page fuzzysum(1) specifies words, their hash, the order of the bits and the digest;
// testdata/vectors/fuzzysum.tsv has test vectors. A [Hasher] reads its text once, in constant
// memory and without allocation.
package fuzzysum

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"
)

// A Reading says how to convert a confidence level to a number t of standard deviations.
type Reading int

const (
	// TwoSided means that the level is the probability of a value between -t and +t. For a level of
	// 60 %, t is 0.844.
	TwoSided Reading = iota
	// OneSided means that the level is the probability of a value below t. For a level of 60 %, t is
	// 0.254.
	OneSided
)

// MaxWords is the maximum of [Options].Words. If Words has this value, each word is counted in 2^7
// = 128 combinations with the seven words before it.
const MaxWords = 8

// Options holds the parameters of a sum. Sums can be compared only if all parameters are
// equal.
type Options struct {
	// Confidence is the confidence level in percent, from 0 to 100. At 100, and at 0 if the level
	// is one-sided, t is infinite and the sum of every text is a digest.
	Confidence float64
	// Reading says whether the level is one-sided or two-sided.
	Reading Reading
	// Words is the number of successive words hashed together, from 1 (single words) to MaxWords.
	Words int
	// MinWords is the minimum number of words for a fuzzy sum. The sum of a shorter text, or of a
	// text without words, is a digest of its content.
	MinWords int
	// Distinct counts each word, or combination of words, only once. Otherwise, a word that is
	// repeated often raises the standard deviation until only its own bit is 1.
	Distinct bool
}

// Default returns the default options of fuzzysum(1).
func Default() Options {
	return Options{Confidence: 60, Words: 1, MinWords: 40}
}

// ErrConfidence is returned by Check if Confidence is not a number from 0 to 100.
var ErrConfidence = errors.New("invalid confidence: want a number from 0 to 100")

// Check returns an error if an option is out of range.
func (o Options) Check() error {
	switch {
	case !(o.Confidence >= 0 && o.Confidence <= 100): // true for NaN too
		return ErrConfidence
	case o.Words < 1 || o.Words > MaxWords:
		return fmt.Errorf("words %d: want 1 to %d", o.Words, MaxWords)
	case o.MinWords < 0:
		return fmt.Errorf("min-words %d: want 0 or more", o.MinWords)
	}
	return nil
}

// A Result is the sum of a text, with its kind and the number of words.
type Result struct {
	Sum      Sum
	Kind     Kind
	Words    uint64 // number of words in the text
	Distinct int    // with Options.Distinct: number of different words, or combinations of words
}

// A Hasher computes the sum of the text written to it. It is not safe for
// concurrent use.
type Hasher struct {
	least     uint64  // minimum number of words for a fuzzy sum, at least 1
	threshold float64 // the number t of standard deviations by which the count of a bucket must exceed the mean
	counter   counter
	text      normalizer
	tail      [utf8.UTFMax]byte // first bytes of a character that the last Write left incomplete
	tailLen   int
}

// NewHasher returns a Hasher with the given options. It returns an error if an option is out of
// range.
func NewHasher(opts Options) (*Hasher, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	h := &Hasher{
		least:     uint64(max(1, opts.MinWords)),
		threshold: studentT(opts.Confidence, opts.Reading),
		counter:   counter{window: make([]uint64, 0, opts.Words)},
	}
	if opts.Distinct {
		h.counter.seen = map[uint64]bool{}
	}
	h.text = normalizer{runes: &h.counter.runes, sha: sha256.New(), held: make([]byte, 0, heldSize)}
	h.Reset()
	return h, nil
}

// Reset makes h ready for another text.
func (h *Hasher) Reset() {
	h.counter.reset()
	h.text.reset()
	h.tailLen = 0
}

// Write adds p to the text. It never returns an error.
func (h *Hasher) Write(p []byte) (int, error) {
	n := len(p)
	// The last Write may have left the first bytes of a character in h.tail. Complete it with bytes
	// of p. If the result is not a valid character, add its bytes as they are, except trailing
	// bytes that may start another character.
	for h.tailLen > 0 && len(p) > 0 {
		h.tail[h.tailLen] = p[0]
		h.tailLen++
		p = p[1:]
		if utf8.FullRune(h.tail[:h.tailLen]) {
			end := h.tailLen - cutRune(h.tail[:h.tailLen])
			h.addText(h.tail[:end])
			h.tailLen = copy(h.tail[:], h.tail[end:h.tailLen])
		}
	}
	end := len(p) - cutRune(p)
	h.tailLen += copy(h.tail[h.tailLen:], p[end:])
	h.addText(p[:end])
	return n, nil
}

// Result returns the sum of the text. Call Reset before writing the next text.
func (h *Hasher) Result() Result {
	h.addText(h.tail[:h.tailLen])
	h.tailLen = 0
	h.counter.endWord()
	r := Result{Words: h.counter.words, Distinct: len(h.counter.seen)}
	if r.Words < h.least {
		r.Sum, r.Kind = h.text.digest(), Text
		return r
	}
	r.Sum = fuzzySum(&h.counter.counts, h.threshold)
	if r.Sum == (Sum{}) || r.Sum == ones || r.Sum.Exact() {
		var text [8 * Buckets]byte
		for i, n := range h.counter.counts {
			binary.BigEndian.PutUint64(text[8*i:], n)
		}
		r.Sum, r.Kind = digest(text[:]), Counts
	}
	return r
}

// piece is the maximum number of bytes added at once while the text has too few words for a fuzzy
// sum.
const piece = 256

// addText adds p, which consists of complete characters, to the text. It passes p to the normalizer
// only while the text has too few words for a fuzzy sum.
func (h *Hasher) addText(p []byte) {
	for len(p) > 0 && h.counter.words < h.least {
		n := len(p)
		if n > piece {
			n = piece - cutRune(p[:piece])
		}
		h.text.addText(p[:n])
		h.counter.addText(p[:n])
		p = p[n:]
	}
	h.counter.addText(p)
}

// cutRune returns the number of bytes, from 0 to 3, of an incomplete character at the end of p.
func cutRune(p []byte) int {
	for n := 1; n <= min(len(p), utf8.UTFMax-1); n++ {
		if b := p[len(p)-n]; utf8.RuneStart(b) {
			if utf8.FullRune(p[len(p)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}
