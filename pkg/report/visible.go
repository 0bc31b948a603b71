package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns a text in which every character is seen: control characters,
// formats such as those that turn the direction of writing, and bytes that are no
// UTF-8 are shown by their numbers, as in ‹U+202E› and ‹xFF›. The pictures that
// Unicode has for control characters are missing from many fonts.
func Visible(text string) string {
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "‹x%02X›", text[0])
		case hidden(r):
			fmt.Fprintf(&b, "‹U+%04X›", r)
		default:
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// hidden reports whether a character is not shown as it is. The joiners of letters
// and of emoji are; a byte that is no UTF-8 is not, nor is U+FFFD told from one.
func hidden(r rune) bool {
	switch r {
	case '\n', '\t', '\u200c', '\u200d':
		return false
	}
	return r == utf8.RuneError || !unicode.IsGraphic(r)
}
