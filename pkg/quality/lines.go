package quality

import (
	"bytes"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// A line holds a line or a paragraph of a text, without the white space around it.
type line = []byte

// isShort reports whether a line has at most n characters. It counts the characters only if the
// number of bytes does not settle the question.
func isShort(l line, n int) bool {
	return len(l) <= n || len(l) <= utf8.UTFMax*n && utf8.RuneCount(l) <= n
}

// pieces selects whether a text is split into lines or into paragraphs.
type pieces int

const (
	lines pieces = iota
	paragraphs
)

// eachPiece calls yield for each line or, if p is paragraphs, each paragraph, until yield returns
// false. It caches the lines and paragraphs unless the text is long.
func (t *Text) eachPiece(p pieces, yield func(line) bool) {
	if t.long != nil {
		t.split(func(l line, kind pieces) bool { return kind != p || yield(l) })
		return
	}
	if !t.linesDone {
		t.linesDone = true
		t.split(func(l line, kind pieces) bool {
			t.pieces[kind] = append(t.pieces[kind], l)
			return true
		})
	}
	for _, l := range t.pieces[p] {
		if !yield(l) {
			return
		}
	}
}

// split calls yield for the lines and paragraphs of the text, each paragraph after its lines, until
// yield returns false.
func (t *Text) split(yield func(line, pieces) bool) {
	start := 0 // start of the current paragraph
	for at, next := 0, 0; at < len(t.raw); at = next {
		next = min(indexFrom(t.raw, at, '\n')+1, len(t.raw))
		if text := bytes.TrimSpace(t.raw[at:next]); len(text) > 0 {
			if !yield(text, lines) {
				return
			}
			continue
		}
		if text := bytes.TrimSpace(t.raw[start:at]); len(text) > 0 && !yield(text, paragraphs) {
			return
		}
		start = next
	}
	if text := bytes.TrimSpace(t.raw[min(start, len(t.raw)):]); len(text) > 0 {
		yield(text, paragraphs)
	}
}

// repeatedLines returns the number of lines (or paragraphs) that repeat an earlier one, the number
// of characters in them, and the total number of lines.
func (t *Text) repeatedLines(p pieces) (n, chars, all int) {
	t.eachPiece(p, func(line) bool {
		all++
		return true
	})
	count := func(isRepeated func(hash uint64) bool) {
		t.eachPiece(p, func(l line) bool {
			if isRepeated(xxhash.Sum64(l)) {
				n++
				chars += utf8.RuneCount(l)
			}
			return true
		})
	}
	if t.long == nil {
		t.seen.reset(all)
		count(func(hash uint64) bool { return t.seen.add(hash) > 1 })
		return n, chars, all
	}
	t.long.count(all, func() {
		count(func(hash uint64) bool {
			s := t.long.countHash(hash, 0)
			return s != nil && s.count > 1
		})
	})
	return n, chars, all
}

// linesWhere returns the share of lines for which ok returns true.
func (t *Text) linesWhere(ok func([]byte) bool) float64 {
	n, all := 0, 0
	t.eachPiece(lines, func(l line) bool {
		if all++; ok(l) {
			n++
		}
		return true
	})
	return ratio(n, all)
}

func hasAnySuffix(b []byte, suffixes ...string) bool {
	for _, s := range suffixes {
		if bytes.HasSuffix(b, []byte(s)) {
			return true
		}
	}
	return false
}
