package text

import (
	"bytes"
	"iter"
	"slices"
	"unicode/utf8"
)

// A long text is folded in segments, so that what a shingler holds for it does
// not grow with the text: some 2 bytes for each of a text and 24 for each of its
// words, else. It is cut between words, at the first place behind so many bytes
// where the words of both sides are what they are in the whole; the last words
// of a segment are kept for the shingles that reach into the next one. A text
// whose next word ends nowhere is one segment, which is what that word costs.

// segmentBytes is how long a segment is at least. It is more than nearly every
// text, which stays whole, and fits into a second-level cache with what is made
// of it.
const segmentBytes = 1 << 18

// cut yields a text in parts, each as long as next says of what is left.
func cut(text []byte, next func(rest []byte) int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for rest, more := text, true; more && len(rest) > 0; {
			n := next(rest)
			more = yield(rest[:n:n])
			rest = rest[n:]
		}
	}
}

// segment returns the length of the first segment, the words of which are those of the text.
func (s *Shingler) segment(text []byte) int {
	c := classesOf(s.opt.Normalize)
	for at := s.least; at < len(text); at++ {
		if c.parts(text[:at], text[at:], s.opt.Normalize == Aggressive) {
			return at
		}
	}
	return len(text)
}

// parts reports whether no word goes on from before to after, so that each may
// be folded without the other, and decomposed first, if that is asked.
func (c *classes) parts(before, after []byte, decomposed bool) bool {
	if b, a := before[len(before)-1], after[0]; b < utf8.RuneSelf && a < utf8.RuneSelf {
		return c.ascii[b] == 0 || c.ascii[a] == 0
	}
	p, size := utf8.DecodeLastRune(before)
	q, _ := utf8.DecodeRune(after)
	if p == utf8.RuneError || q == utf8.RuneError {
		return false
	}
	if decomposed {
		if last, next := lookUp(before[len(before)-size:]), lookUp(after); !last.inert() || !next.inert() {
			return false
		}
	}
	return c.ends(p) || c.ends(q)
}

// ends reports whether no word goes over a code point.
func (c *classes) ends(r rune) bool {
	if r < utf8.RuneSelf {
		return c.ascii[r] == 0
	}
	_, k := c.of(r)
	return k == separator || k&alone != 0
}

// Parts yields the normalised text in parts, each of which ends with a word, and
// all but the first of which begin with the space before one; under None, with a
// code point. The next part overwrites it.
func (s *Shingler) Parts(text []byte) iter.Seq[[]byte] {
	if s.opt.Normalize == None {
		return cut(text, func(rest []byte) int { return wholeRunes(rest, s.least) })
	}
	return s.wordParts(text)
}

// wordParts yields the words with a space between them, in parts.
func (s *Shingler) wordParts(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		begun := false
		for segment := range cut(text, s.segment) {
			s.fold(segment)
			if len(s.edges) == 0 {
				continue
			}
			if s.joined = s.joined[:0]; begun {
				s.joined = append(s.joined, ' ')
			}
			if s.joined = s.join(s.joined); !yield(s.joined) {
				return
			}
			begun = true
		}
		s.shrink()
	}
}

// Each yields what [Shingler.Append] would append, in parts, in memory of the
// shingler that the next part overwrites.
func (s *Shingler) Each(text []byte) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		switch {
		case len(text) <= s.least:
			s.hashes = s.Append(s.hashes[:0], text)
			yield(s.hashes)
		case s.key == nil && s.opt.Shingle.Unit == Words:
			s.wordShingles(text, yield)
		default:
			s.byteShingles(text, yield)
		}
		s.shrink()
	}
}

// wordShingles yields the shingles of a long text's words.
func (s *Shingler) wordShingles(text []byte, yield func([]uint64) bool) {
	n, short := s.opt.Shingle.N, true
	var words []uint64 // the last n-1, and those of a segment
	for segment := range cut(text, s.segment) {
		s.fold(segment)
		s.hashWords()
		if words = append(words, s.words...); len(words) < n {
			continue
		}
		short = false
		if s.hashes = s.combine(s.hashes[:0], words); !yield(s.hashes) {
			return
		}
		words = append(words[:0], words[len(words)-n+1:]...)
	}
	if short {
		yield(appendShort(s.hashes[:0], words))
	}
}

// byteShingles yields the shingles of a long text that are hashed byte by byte.
func (s *Shingler) byteShingles(text []byte, yield func([]uint64) bool) {
	parts, short := s.Parts(text), true
	if s.opt.Shingle.Unit == Words {
		parts = s.wordParts(text)
	}
	var b []byte // the last n-1 units, and those of a part
	for part := range parts {
		b = slices.Grow(s.appendUnits(b, part), len(padding))
		hashes, rest := s.slide(s.hashes[:0], b)
		if s.hashes = hashes; rest == 0 {
			continue
		}
		short = false
		if !yield(hashes) {
			return
		}
		b = append(b[:0], b[rest:]...)
	}
	if short {
		yield(s.appendShortBytes(s.hashes[:0], b))
	}
}

// appendUnits appends a part of a normalised text: under a key, words with a space
// behind each.
func (s *Shingler) appendUnits(b, part []byte) []byte {
	if s.key == nil || s.opt.Shingle.Unit == Chars {
		return append(b, part...)
	}
	return append(append(b, bytes.TrimPrefix(part, []byte{' '})...), ' ')
}

// shrink gives up what grew for one text that could not be cut.
func (s *Shingler) shrink() {
	if cap(s.folded)+cap(s.joined)+cap(s.decomposed) > 32*s.least {
		*s = Shingler{opt: s.opt, power: s.power, key: s.key, least: s.least}
	}
}
