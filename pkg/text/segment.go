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

// segment returns the length of the first segment, the words of which are those of the
// text: all of a text that is not long.
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
	if s.opt.Normalize != None {
		return s.wordParts(text)
	}
	return func(yield func([]byte) bool) {
		for rest := text; len(rest) > 0; {
			n := wholeRunes(rest, s.least)
			if !yield(rest[:n:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// wordParts yields the words with a space between them, in parts.
func (s *Shingler) wordParts(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		begun := false
		for rest := text; len(rest) > 0; {
			n := s.segment(rest)
			s.fold(rest[:n])
			rest = rest[n:]
			if len(s.edges) == 0 {
				continue
			}
			if s.joined = s.joined[:0]; begun {
				s.joined = append(s.joined, ' ')
			}
			for i := 0; i < len(s.edges); i += 2 {
				if i > 0 {
					s.joined = append(s.joined, ' ')
				}
				s.joined = append(s.joined, s.folded[s.edges[i]:s.edges[i+1]]...)
			}
			if !yield(s.joined) {
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
		s.hashes = s.shingles(s.hashes[:0], text, func(dst []uint64) ([]uint64, bool) { return dst[:0], yield(dst) })
		s.shrink()
	}
}

// shingles appends the hashes of the shingles to dst, segment by segment, and hands dst
// on after each, until flush says that it is enough. It returns what flush made of dst.
func (s *Shingler) shingles(dst []uint64, text []byte, flush func([]uint64) ([]uint64, bool)) []uint64 {
	if s.key != nil || s.opt.Shingle.Unit == Chars {
		return s.byteShingles(dst, text, flush)
	}
	n, short, more := s.opt.Shingle.N, true, true
	last := s.lastWords[:0]
	for len(text) > 0 {
		size := s.segment(text)
		s.fold(text[:size])
		text = text[size:]
		count := len(s.edges) / 2
		if cap(s.words) < count {
			s.words = make([]uint64, count+count/2)
		}
		words := s.words[:count]
		hashAll(words, s.folded, s.edges)
		if len(last) > 0 {
			last = append(last, words...)
			words = last
		}
		if len(words) < n {
			last = append(last[:0], words...)
			continue
		}
		short = false
		if dst, more = flush(s.combine(dst, words)); !more {
			return dst
		}
		last = append(last[:0], words[len(words)-n+1:]...)
	}
	if s.lastWords = last; short {
		dst, _ = flush(appendShort(dst, last))
	}
	return dst
}

// byteShingles is shingles of those that are hashed byte by byte: of code points, and
// under a key all.
func (s *Shingler) byteShingles(dst []uint64, text []byte, flush func([]uint64) ([]uint64, bool)) []uint64 {
	parts, short, more := s.Parts(text), true, true
	words := s.opt.Shingle.Unit == Words // each with a space behind
	if words {
		parts = s.wordParts(text)
	}
	b := s.lastUnits[:0]
	for part := range parts {
		if words {
			b = append(append(b, bytes.TrimPrefix(part, []byte{' '})...), ' ')
		} else {
			b = append(b, part...)
		}
		b = slices.Grow(b, len(padding))
		hashes, rest := s.slide(dst, b)
		if rest == 0 {
			continue
		}
		short = false
		if dst, more = flush(hashes); !more {
			return dst
		}
		b = append(b[:0], b[rest:]...)
	}
	if s.lastUnits = b; short {
		dst, _ = flush(s.appendShortBytes(dst, b))
	}
	return dst
}

// shrink gives up what grew for one text that could not be cut.
func (s *Shingler) shrink() {
	if cap(s.folded)+cap(s.joined)+cap(s.decomposed)+cap(s.lastUnits) > 32*s.least {
		*s = Shingler{opt: s.opt, power: s.power, key: s.key, least: s.least}
	}
}
