package quality

import (
	"bytes"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// A line is a line, or a paragraph, of the text without the white space around it.
type line []byte

func (l line) hash() uint64 { return xxhash.Sum64(l) }
func (l line) chars() int   { return utf8.RuneCount(l) }

// short reports whether a line has at most n characters. It counts them only
// if their bytes may be as many.
func (l line) short(n int) bool {
	return len(l) <= n || len(l) <= utf8.UTFMax*n && l.chars() <= n
}

// split finds the lines and paragraphs, once.
func (t *Text) split() {
	if t.linesDone {
		return
	}
	t.linesDone = true
	start := 0 // of the open paragraph
	for at, next := 0, 0; at < len(t.raw); at = next {
		next = lineEnd(t.raw, at)
		text := bytes.TrimSpace(t.raw[at:next])
		if len(text) == 0 {
			t.addParagraph(t.raw[start:at])
			start = next
			continue
		}
		t.lines = append(t.lines, text)
	}
	t.addParagraph(t.raw[min(start, len(t.raw)):])
}

func (t *Text) addParagraph(b []byte) {
	if b = bytes.TrimSpace(b); len(b) > 0 {
		t.paragraphs = append(t.paragraphs, b)
	}
}

// lineEnd returns where the line at b[at] ends, its LF included.
func lineEnd(b []byte, at int) int {
	if i := bytes.IndexByte(b[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(b)
}

// repeatedLines returns how many of the lines have occurred before, and their
// characters.
func (t *Text) repeatedLines(lines []line) (n, chars int) {
	t.seen.reset(len(lines))
	for _, l := range lines {
		if t.seen.add(l.hash()) > 1 {
			n++
			chars += l.chars()
		}
	}
	return n, chars
}

// linesWhere returns the share of lines for which ok holds.
func (t *Text) linesWhere(ok func([]byte) bool) float64 {
	t.split()
	n := 0
	for _, l := range t.lines {
		if ok(l) {
			n++
		}
	}
	return ratio(n, len(t.lines))
}

func hasAnySuffix(b []byte, suffixes ...string) bool {
	for _, s := range suffixes {
		if bytes.HasSuffix(b, []byte(s)) {
			return true
		}
	}
	return false
}
