// Package fuzzysum computes the fuzzy checksum of a message: 128 bits that stay the same,
// or nearly the same, when the message is sent again, re-wrapped, or given another footer.
//
// The method is from Robert's fuzzysum. Each word is hashed into one of 128 buckets; a
// bucket's bit is 1 when its count exceeds the mean of all counts by t standard deviations,
// t being Student's t at a confidence level. A few words more or less move few counts
// across that threshold, and the position of words in the text does not matter.
//
// A short text has too few counts for that: one word changes many bits, and texts with
// nothing in common share the bits they have. So a text with fewer than [Options].MinWords
// words gets a digest of its exact content instead, marked by its first five digits (see
// [Sum.Exact]).
//
// Words, their hash, the order of the bits and the digest are defined exactly by
// fuzzysum(1) and testdata/vectors/fuzzysum.tsv. A [Hasher] reads its text once, in
// constant memory and without allocation.
package fuzzysum

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"
)

// A Reading says how a confidence level is converted to a number of standard deviations.
type Reading int

const (
	// TwoSided takes the level as the probability between -t and +t: at 60 %, t is 0.844.
	TwoSided Reading = iota
	// OneSided takes the level as the probability below t: at 60 %, t is 0.254.
	OneSided
)

// MaxWords is the largest [Options].Words, with 128 features per word.
const MaxWords = 8

// Options holds the parameters of a sum. Sums can be compared only if all parameters are
// equal.
type Options struct {
	// Confidence is the level in percent, from 0 to 100. At 100 (and, one-sided,
	// at 0) t is infinite, and every text gets a digest.
	Confidence float64
	// Reading is the meaning of the level.
	Reading Reading
	// Words is the length of the window of sparse multi-word hashing, from 1
	// (single words) to MaxWords.
	Words int
	// MinWords is the minimum number of words for a fuzzy sum; a shorter text gets a digest
	// of its content. So does any text without words.
	MinWords int
}

// Default returns the default options of fuzzysum(1).
func Default() Options {
	return Options{Confidence: 60, Words: 1, MinWords: 40}
}

// ErrConfidence is the error for a confidence that is not a number from 0 to 100.
var ErrConfidence = errors.New("invalid confidence: want a number from 0 to 100")

// Check returns an error that names the option out of range, or nil.
func (o Options) Check() error {
	switch {
	case !(o.Confidence >= 0 && o.Confidence <= 100): // so that NaN fails
		return ErrConfidence
	case o.Words < 1 || o.Words > MaxWords:
		return fmt.Errorf("invalid number of words: want 1 to %d", MaxWords)
	case o.MinWords < 0:
		return errors.New("invalid least number of words: want 0 or more")
	}
	return nil
}

// A Result holds the sum of a text and its number of words.
type Result struct {
	Sum   Sum
	Kind  Kind
	Words uint64 // number of words in the text
}

// A Hasher computes the sum of the text written to it. It is not safe for
// concurrent use.
type Hasher struct {
	least     uint64  // minimum number of words; with fewer, the sum is a digest of the text
	threshold float64 // t, in standard deviations
	counter   counter
	text      normalizer
	tail      [utf8.UTFMax]byte // the first bytes of a character cut by the end of a Write
	tailLen   int
}

// NewHasher returns a Hasher, or the error of opts.Check.
func NewHasher(opts Options) (*Hasher, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	h := &Hasher{
		least:     uint64(max(1, opts.MinWords)),
		threshold: studentT(opts.Confidence, opts.Reading),
		counter:   counter{window: make([]uint64, 0, opts.Words)},
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

// Write adds p to the text. It never fails.
func (h *Hasher) Write(p []byte) (int, error) {
	n := len(p)
	// The first bytes may complete a character started in the last Write. If they do not
	// form a character, the bytes are added, except bytes that may start another character.
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

// Result ends the text and returns its sum. Call Reset before the next text.
func (h *Hasher) Result() Result {
	h.addText(h.tail[:h.tailLen])
	h.tailLen = 0
	h.counter.endWord()
	r := Result{Words: h.counter.words}
	if r.Words < h.least {
		r.Sum, r.Kind = h.text.digest(), Text
		return r
	}
	r.Sum = standOut(&h.counter.counts, h.threshold)
	if r.Sum == (Sum{}) || r.Sum == ones || r.Sum.Exact() {
		var text [8 * Buckets]byte
		for i, n := range h.counter.counts {
			binary.BigEndian.PutUint64(text[8*i:], n)
		}
		r.Sum, r.Kind = digest(text[:]), Counts
	}
	return r
}

// piece is the number of bytes counted at once while there are too few words.
const piece = 256

// addText adds complete characters to the text.
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

// cutRune returns the number of bytes at the end of p that start an incomplete character: 0
// to 3.
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
