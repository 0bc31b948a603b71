package review

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a text in which nothing acts on a terminal, neither control
// characters nor those that turn the direction of writing: they are escaped as in Go.
func Printable(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) }) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if piece := s[:n]; unicode.IsGraphic(r) && (r != utf8.RuneError || n > 1) {
			b.WriteString(piece)
		} else {
			q := strconv.QuoteToGraphic(piece)
			b.WriteString(q[1 : len(q)-1])
		}
		s = s[n:]
	}
	return b.String()
}
