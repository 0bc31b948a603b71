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

// split returns the lines or the paragraphs of the text.
func (t *Text) split(p pieces) []line {
	if t.linesDone {
		return t.pieces[p]
	}
	t.linesDone = true
	start := 0 // start of the current paragraph
	for at, next := 0, 0; at < len(t.raw); at = next {
		next = min(indexFrom(t.raw, at, '\n')+1, len(t.raw))
		if text := bytes.TrimSpace(t.raw[at:next]); len(text) > 0 {
			t.pieces[lines] = append(t.pieces[lines], text)
			continue
		}
		if text := bytes.TrimSpace(t.raw[start:at]); len(text) > 0 {
			t.pieces[paragraphs] = append(t.pieces[paragraphs], text)
		}
		start = next
	}
	if text := bytes.TrimSpace(t.raw[min(start, len(t.raw)):]); len(text) > 0 {
		t.pieces[paragraphs] = append(t.pieces[paragraphs], text)
	}
	return t.pieces[p]
}

// repeatedLines returns the number of lines (or paragraphs) that repeat an earlier one, the number
// of characters in them, and the total number of lines.
func (t *Text) repeatedLines(p pieces) (n, chars, all int) {
	split := t.split(p)
	t.seen.reset(len(split))
	for _, l := range split {
		if t.seen.add(xxhash.Sum64(l)) > 1 {
			n++
			chars += utf8.RuneCount(l)
		}
	}
	return n, chars, len(split)
}

// linesWhere returns the share of lines for which ok returns true.
func (t *Text) linesWhere(ok func([]byte) bool) float64 {
	n, all := 0, t.split(lines)
	for _, l := range all {
		if ok(l) {
			n++
		}
	}
	return ratio(n, len(all))
}

func hasAnySuffix(b []byte, suffixes ...string) bool {
	for _, s := range suffixes {
		if bytes.HasSuffix(b, []byte(s)) {
			return true
		}
	}
	return false
}
