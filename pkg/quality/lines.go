package quality

import (
	"bytes"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// A line is a line, or a paragraph, of the text without the white space around it.
type line struct {
	text  []byte
	hash  uint64
	chars int
}

func newLine(b []byte) line {
	return line{text: b, hash: xxhash.Sum64(b), chars: utf8.RuneCount(b)}
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
		t.lines = append(t.lines, newLine(text))
	}
	t.addParagraph(t.raw[min(start, len(t.raw)):])
}

func (t *Text) addParagraph(b []byte) {
	if b = bytes.TrimSpace(b); len(b) > 0 {
		t.paragraphs = append(t.paragraphs, newLine(b))
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
	for i := range lines {
		if t.seen.add(lines[i].hash) > 1 {
			n++
			chars += lines[i].chars
		}
	}
	return n, chars
}

// linesWhere returns the share of lines for which ok holds.
func (t *Text) linesWhere(ok func([]byte) bool) float64 {
	t.split()
	n := 0
	for i := range t.lines {
		if ok(t.lines[i].text) {
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
