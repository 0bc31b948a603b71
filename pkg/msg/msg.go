// Package msg formats messages. It escapes data that could control a terminal, puts counted nouns
// into the singular or plural, and adds hints to errors.
package msg

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

// Hint returns the text that a tool prints after the message of the error.
func (h hintError) Hint() string { return h.hint }

// WithHint returns err with a hint, which is printed on a second line, after the message of err. In
// the format, the name of a tool in braces stands for the command that runs the tool, as in "{reccat}
// --to jsonl %s".
func WithHint(err error, format string, args ...any) error {
	return hintError{err, fmt.Sprintf(Tools(format), args...)}
}

// Number returns n followed by a noun in the singular or plural, as in "1 pair" and "2 pairs". The
// caller passes the noun in the singular.
func Number[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if stem, ok := strings.CutSuffix(thing, "py"); ok {
		return fmt.Sprintf("%d %spies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Are returns the verb for n things: "is" or "are".
func Are[N int | int64](n N) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// Or joins words with commas and a final "or", as in "a, b or c".
func Or(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// plain lists the characters that need no quoting in a shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%"

// Quote returns word, quoted for a POSIX shell if necessary.
func Quote(word string) string {
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Command returns shell text that runs a command. The name is not quoted, so it may include a
// subcommand.
func Command(name string, args ...string) string {
	var text strings.Builder
	text.WriteString(name)
	for _, arg := range args {
		text.WriteString(" " + Quote(arg))
	}
	return text.String()
}

// Printable escapes everything in s that could act on a terminal: control characters and bytes
// that are not UTF-8.
func Printable(s string) string { return escaped(s, unicode.IsControl, backslashed) }

// Graphic escapes what Printable escapes, and also characters that are invisible or change the
// direction of writing.
func Graphic(s string) string {
	return escaped(s, func(r rune) bool { return !unicode.IsGraphic(r) }, backslashed)
}

// Visible is like Graphic, but for HTML pages: it replaces invisible characters with their codes,
// such as ‹U+202E› and ‹xFF›. It keeps line feeds, tabs, and the characters that join letters or
// emoji. It does not use Unicode's symbols for control characters, because many fonts lack them.
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

// backslashed escapes a character, or a byte that is not UTF-8, as in a Go string literal.
func backslashed(c string) string {
	q := strconv.Quote(c)
	return q[1 : len(q)-1]
}

// escaped calls the function write for each selected character and each byte that is not UTF-8, and
// returns a copy of s that has the results in their place.
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
