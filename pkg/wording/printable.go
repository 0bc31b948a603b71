package wording

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns s with everything escaped that could act on a terminal:
// control characters and bytes that are not UTF-8.
func Printable(s string) string { return escaped(s, unicode.IsControl) }

// Graphic returns s with everything escaped that Printable escapes, and what turns the
// direction of writing or is not seen, too.
func Graphic(s string) string {
	return escaped(s, func(r rune) bool { return !unicode.IsGraphic(r) })
}

// escaped returns s with these characters, and bytes that are not UTF-8, as Go writes
// them.
func escaped(s string, these func(rune) bool) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, these) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if these(r) || r == utf8.RuneError && n == 1 {
			q := strconv.Quote(s[i : i+n])
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
