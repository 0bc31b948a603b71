package text

import (
	"bytes"
	"iter"
	"slices"
	"unicode/utf8"
)

// A long text is folded in segments, so that a Shingler's memory does not grow with the text.
// Without segments, a Shingler would need about 2 bytes per byte of text and 24 bytes per word. A
// segment ends at the first position after segmentBytes at which a cut does not change the words on
// both sides. If there is no such position, the rest of the text is one segment. The last N-1 words
// of a segment are kept for the shingles that extend into the next segment.

// segmentBytes is the minimum length of a segment that is not the last. Nearly every text is
// shorter, so it is not cut. A segment and its buffers fit into a second-level cache.
const segmentBytes = 1 << 18

// segment returns the length of the first segment of text. If the text is short or cannot be cut,
// the segment is the whole text.
func (s *Shingler) segment(text []byte) int {
	c := classesOf(s.opt.Normalize)
	for at := s.segmentLeast; at < len(text); at++ {
		if c.canCut(text[:at], text[at:], s.opt.Normalize == Aggressive) {
			return at
		}
	}
	return len(text)
}

// canCut reports whether the text before+after can be cut between these two slices. It can be cut
// if no word continues across the cut. If decomposed is true, no run of code points that are
// decomposed together may continue across the cut either.
func (c *classes) canCut(before, after []byte, decomposed bool) bool {
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
	return c.endsWord(p) || c.endsWord(q)
}

// endsWord reports whether a code point is a separator or a word of its own, so that no word
// extends across it.
func (c *classes) endsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return c.ascii[r] == 0
	}
	_, k := c.folded(r)
	return k == separator || k&alone != 0
}

// Parts yields the normalized text in parts. Each part ends at the end of a word, and all parts but
// the first begin with a space. Under None, parts are slices of text that end between code points.
// A part is valid only until the next one is yielded.
func (s *Shingler) Parts(text []byte) iter.Seq[[]byte] {
	if s.opt.Normalize != None {
		return s.wordParts(text)
	}
	return func(yield func([]byte) bool) {
		for rest := text; len(rest) > 0; {
			n := wholeRunes(rest, s.segmentLeast)
			if !yield(rest[:n:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// wordParts yields the words of the text in parts, with a space between words, as described at
// Parts.
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

// Each yields the hashes that [Shingler.Append] appends, in parts. A part is valid only until the
// next one is yielded.
func (s *Shingler) Each(text []byte) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		s.hashes = s.shingles(s.hashes[:0], text, func(dst []uint64) ([]uint64, bool) { return dst[:0], yield(dst) })
		s.shrink()
	}
}

// shingles appends the hashes of the shingles to dst. After each segment, it passes dst to flush,
// and continues with the slice that flush returns, or stops if flush returns false. It returns the
// last slice that flush returned.
func (s *Shingler) shingles(dst []uint64, text []byte, flush func([]uint64) ([]uint64, bool)) []uint64 {
	if s.key != nil || s.opt.Shingle.Unit == Chars {
		return s.byteShingles(dst, text, flush)
	}
	n, short, more := s.opt.Shingle.N, true, true
	last, whole := s.lastWords[:0], text
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
		if dst = appendShort(dst, last); len(last) == 0 {
			dst = s.appendBare(dst, whole)
		}
		dst, _ = flush(dst)
	}
	return dst
}

// byteShingles is like shingles, but hashes the bytes of each shingle. It is used for shingles of
// code points and, if there is a key, for shingles of words.
func (s *Shingler) byteShingles(dst []uint64, text []byte, flush func([]uint64) ([]uint64, bool)) []uint64 {
	parts, short, more := s.Parts(text), true, true
	words := s.opt.Shingle.Unit == Words // the units are words, each followed by a space
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
		hashes, rest := s.appendSlices(dst, b)
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
		if dst = s.appendShortBytes(dst, b); len(b) == 0 {
			dst = s.appendBare(dst, text)
		}
		dst, _ = flush(dst)
	}
	return dst
}

// shrink frees the buffers if they have grown large for a text that could not be cut.
func (s *Shingler) shrink() {
	if cap(s.folded)+cap(s.joined)+cap(s.decomposed)+cap(s.lastUnits) > 32*s.segmentLeast {
		*s = Shingler{opt: s.opt, power: s.power, key: s.key, bare: s.bare, segmentLeast: s.segmentLeast}
	}
}
