package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns s with everything escaped that could act on a terminal:
// control characters and bytes that are not UTF-8.
func Printable(s string) string { return escaped(s, unicode.IsControl, backslashed) }

// Graphic returns s with everything escaped that Printable escapes, and what turns the
// direction of writing or is not seen, too.
func Graphic(s string) string {
	return escaped(s, func(r rune) bool { return !unicode.IsGraphic(r) }, backslashed)
}

// Visible is Graphic for a page, where lines end and tabs are seen: it shows hidden characters
// by their numbers, as in ‹U+202E› and ‹xFF›. The joiners of letters and of emoji stay. The
// pictures that Unicode has for control characters are missing from many fonts.
func Visible(s string) string { return escaped(s, hidden, numbered) }

func hidden(r rune) bool {
	switch r {
	case '\n', '\t', '\u200c', '\u200d':
		return false
	}
	return r == utf8.RuneError || !unicode.IsGraphic(r)
}

// backslashed writes a character, or a byte that is not UTF-8, as Go does.
func backslashed(c string) string {
	q := strconv.Quote(c)
	return q[1 : len(q)-1]
}

func numbered(c string) string {
	if r, n := utf8.DecodeRuneInString(c); r != utf8.RuneError || n > 1 {
		return fmt.Sprintf("‹U+%04X›", r)
	}
	return fmt.Sprintf("‹x%02X›", c[0])
}

// escaped returns s with these characters, and bytes that are not UTF-8, written otherwise.
func escaped(s string, these func(rune) bool, write func(c string) string) string {
	if utf8.ValidString(s) && strings.IndexFunc(s, these) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if c := s[i : i+n]; these(r) || r == utf8.RuneError && n == 1 {
			b.WriteString(write(c))
		} else {
			b.WriteString(c)
		}
		i += n
	}
	return b.String()
}
