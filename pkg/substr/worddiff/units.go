package worddiff

import (
	"doppel/pkg/text/utf"
	"strings"
	"unicode"
	"unicode/utf8"
)

// units holds the starts and the numbers of the units of a text, which are lines or words. The last
// start is the end of the text. Equal units have equal numbers.
type units struct {
	starts  []int
	numbers []rune
}

// splitUnits divides a text into lines or words; unit is either the function line or the function
// word. numbers maps known units to their numbers; splitUnits adds the new units.
func splitUnits(text string, unit func(string, int) int, numbers map[string]rune) (u units) {
	for at := 0; at < len(text); {
		n := unit(text, at)
		number, known := numbers[text[at:at+n]]
		if !known {
			number = rune(len(numbers))
			numbers[text[at:at+n]] = number
		}
		u.starts, u.numbers = append(u.starts, at), append(u.numbers, number)
		at += n
	}
	u.starts = append(u.starts, len(text))
	return u
}

// line returns the length in bytes of the line at an offset, including its line end.
func line(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return n + 1
	}
	return len(text) - at
}

// word returns the length in bytes of the unit at an offset, which is a word, a sequence of spaces,
// or any other single character. In scripts without spaces, each character is a word. If a word or
// a sequence of spaces is too long (see longest), each of its characters is a unit, so that a
// difference of one character is visible.
func word(text string, at int) int {
	r, first := utf8.DecodeRuneInString(text[at:])
	kind := kindOf(r)
	if before, _ := utf8.DecodeLastRuneInString(text[:at]); kind == other || at > 0 && kindOf(before) == kind {
		return first // if the kinds are equal, text[at:] begins inside an overlong unit
	}
	n := first
	for at+n < len(text) {
		r, size := utf8.DecodeRuneInString(text[at+n:])
		if kindOf(r) != kind {
			return n
		}
		if n += size; n > longest {
			return first
		}
	}
	return n
}

// longest is the maximum length, in bytes, of a word or a sequence of spaces.
const longest = 64

// The kinds of characters.
const (
	other = iota
	letters
	spaces
)

func kindOf(r rune) int {
	switch {
	case r == ' ' || r == '\t':
		return spaces
	case r < utf8.RuneSelf:
		if 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '_' {
			return letters
		}
		return other
	case unicode.In(r, utf.Spaceless...):
		return other
	case unicode.In(r, unicode.L, unicode.N, unicode.M):
		return letters
	}
	return other
}
