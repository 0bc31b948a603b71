package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns a text in which every character is seen: control characters by
// their pictures, and by their numbers those that turn the direction of writing,
// other formats, and bytes that are no UTF-8.
func Visible(text string) string {
	n := strings.IndexFunc(text, hidden)
	if n < 0 {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "⟦%02X⟧", text[0])
		case !hidden(r):
			b.WriteString(text[:size])
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == 0x7f:
			b.WriteRune('\u2421')
		default:
			fmt.Fprintf(&b, "⟦U+%04X⟧", r)
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
