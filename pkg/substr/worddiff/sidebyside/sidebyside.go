// Package sidebyside lays out two texts side by side in two columns, with their common substrings
// marked.
package sidebyside

import (
	"unicode"

	"golang.org/x/text/width"

	"doppel/pkg/substr"
)

// A Span is a piece of one line of a text, safe to print on a terminal.
type Span struct {
	Text   string
	Width  int // width of Text in terminal columns
	Shared bool
}

// A Row is one line of the output, in both columns.
type Row struct{ Left, Right []Span }

// Rows lays out two texts in rows, and marks the matches between the texts. The matches must be
// ordered and must not cross. columns is the width of each side; it must be at least 2. After a
// shared line break, both texts begin a new row, so that the text after it is aligned.
func Rows(a, b []rune, matches []substr.Match, columns int) (rows []Row) {
	left := &side{text: a, columns: columns, shared: sharedOf(len(a), matches, func(m substr.Match) int { return m.A })}
	right := &side{text: b, columns: columns, shared: sharedOf(len(b), matches, func(m substr.Match) int { return m.B })}
	for _, m := range matches {
		for i, r := range a[m.A : m.A+m.Size] {
			if r == '\n' {
				rows = appendRows(rows, left.layOutTo(m.A+i+1), right.layOutTo(m.B+i+1))
			}
		}
	}
	return appendRows(rows, left.layOutTo(len(a)), right.layOutTo(len(b)))
}

// appendRows appends the lines of both sides to rows.
func appendRows(rows []Row, left, right [][]Span) []Row {
	for i := range max(len(left), len(right)) {
		var row Row
		if i < len(left) {
			row.Left = left[i]
		}
		if i < len(right) {
			row.Right = right[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// sharedOf returns a slice that says, for each of the n symbols of a text, whether it belongs to a
// match.
func sharedOf(n int, matches []substr.Match, offset func(substr.Match) int) []bool {
	shared := make([]bool, n)
	for _, m := range matches {
		for i := range m.Size {
			shared[offset(m)+i] = true
		}
	}
	return shared
}

// A side lays out one of the texts.
type side struct {
	text    []rune
	shared  []bool
	columns int
	next    int // offset of the first symbol that is not yet laid out
}

// layOutTo lays out the text from s.next up to an offset, and returns the lines.
func (s *side) layOutTo(end int) (lines [][]Span) {
	var line []Span
	used := 0
	for ; s.next < end; s.next++ {
		r := s.text[s.next]
		if r == '\n' {
			lines = append(lines, line)
			line, used = nil, 0
			continue
		}
		shown, w := visible(r)
		if used+w > s.columns {
			lines = append(lines, line)
			line, used = nil, 0
		}
		if n := len(line); n > 0 && line[n-1].Shared == s.shared[s.next] {
			line[n-1].Text += shown
			line[n-1].Width += w
		} else {
			line = append(line, Span{shown, w, s.shared[s.next]})
		}
		used += w
	}
	if len(line) > 0 {
		lines = append(lines, line)
	}
	return lines
}

// visible returns a printable form of a character and its width in columns. Control characters
// become their Unicode control pictures. Combining marks and joiners stay and have width 0. Other
// characters that are not graphic, such as those that change the writing direction, become U+FFFD.
func visible(r rune) (string, int) {
	switch {
	case r < ' ':
		return string('\u2400' + r), 1
	case r == 0x7f:
		return "\u2421", 1
	case r == '\u200c' || r == '\u200d' || unicode.In(r, unicode.Mn, unicode.Me):
		return string(r), 0
	case !unicode.IsGraphic(r):
		return "\ufffd", 1
	}
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return string(r), 2
	}
	return string(r), 1
}
