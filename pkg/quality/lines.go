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

// What a text falls into.
type pieces int

const (
	lines pieces = iota
	paragraphs
)

// each hands out the lines, or the paragraphs, until one is enough. Of a text that is not
// long they are held.
func (t *Text) each(p pieces, yield func(line) bool) {
	if t.long != nil {
		take := [2]func(line) bool{pass, pass}
		take[p] = yield
		t.split(take[lines], take[paragraphs])
		return
	}
	if !t.linesDone {
		t.linesDone = true
		t.split(keep(&t.lines), keep(&t.paragraphs))
	}
	for _, l := range [...][]line{lines: t.lines, paragraphs: t.paragraphs}[p] {
		if !yield(l) {
			return
		}
	}
}

func (t *Text) eachLine(yield func(line) bool) { t.each(lines, yield) }

func pass(line) bool { return true }

func keep(all *[]line) func(line) bool {
	return func(l line) bool {
		*all = append(*all, l)
		return true
	}
}

// split hands out the lines and the paragraphs, until one is enough.
func (t *Text) split(line, paragraph func(line) bool) {
	start := 0 // of the open paragraph
	for at, next := 0, 0; at < len(t.raw); at = next {
		next = lineEnd(t.raw, at)
		switch text := bytes.TrimSpace(t.raw[at:next]); {
		case len(text) > 0:
			if !line(text) {
				return
			}
		default:
			if text := bytes.TrimSpace(t.raw[start:at]); len(text) > 0 && !paragraph(text) {
				return
			}
			start = next
		}
	}
	if text := bytes.TrimSpace(t.raw[min(start, len(t.raw)):]); len(text) > 0 {
		paragraph(text)
	}
}

// lineEnd returns where the line at b[at] ends, its LF included.
func lineEnd(b []byte, at int) int {
	if i := bytes.IndexByte(b[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(b)
}

// repeatedLines returns how many of the lines, or paragraphs, have occurred before,
// their characters, and how many there are.
func (t *Text) repeatedLines(p pieces) (n, chars, all int) {
	t.each(p, func(line) bool {
		all++
		return true
	})
	t.countLines(p, all, func(l line) {
		n++
		chars += l.chars()
	})
	return n, chars, all
}

// countLines calls again with each of so many lines, or paragraphs, that has occurred
// before.
func (t *Text) countLines(p pieces, all int, again func(line)) {
	if t.long == nil {
		t.seen.reset(all)
		t.each(p, func(l line) bool {
			if t.seen.add(l.hash()) > 1 {
				again(l)
			}
			return true
		})
		return
	}
	t.long.count(all, func() {
		t.each(p, func(l line) bool {
			if s := t.long.met(l.hash(), 0); s != nil && s.count > 1 {
				again(l)
			}
			return true
		})
	})
}

// linesWhere returns the share of lines for which ok holds.
func (t *Text) linesWhere(ok func([]byte) bool) float64 {
	n, all := 0, 0
	for l := range t.eachLine {
		if all++; ok(l) {
			n++
		}
	}
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
