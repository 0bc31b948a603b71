// Package wording is how messages are worded: what stands in them of data does not act
// on a terminal, numbers of things are in the right form, and a second line says what
// may help.
package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type hintError struct {
	error
	hint string
}

func (h hintError) Unwrap() error { return h.error }

// Hint returns the second line.
func (h hintError) Hint() string { return h.hint }

// WithHint returns err with a second line that says what may help.
func WithHint(err error, format string, args ...any) error {
	return hintError{err, fmt.Sprintf(format, args...)}
}

// Number returns a number of things, as in "1 pair" and "2 pairs".
func Number[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Are returns the verb for a number of things.
func Are[N int | int64](n N) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// plain are the characters that a shell leaves alone in a word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%"

// Quote returns the word as a POSIX shell must see it.
func Quote(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Command returns the text of a shell that runs a command. Its name is taken as it is, so that
// it may have a subcommand.
func Command(name string, args ...string) string {
	var text strings.Builder
	text.WriteString(name)
	for _, arg := range args {
		text.WriteString(" " + Quote(arg))
	}
	return text.String()
}

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
func Visible(s string) string {
	hidden := func(r rune) bool {
		return !strings.ContainsRune("\n\t\u200c\u200d", r) && (r == utf8.RuneError || !unicode.IsGraphic(r))
	}
	return escaped(s, hidden, func(c string) string {
		if r, n := utf8.DecodeRuneInString(c); r != utf8.RuneError || n > 1 {
			return fmt.Sprintf("‹U+%04X›", r)
		}
		return fmt.Sprintf("‹x%02X›", c[0])
	})
}

// backslashed writes a character, or a byte that is not UTF-8, as Go does.
func backslashed(c string) string {
	q := strconv.Quote(c)
	return q[1 : len(q)-1]
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
