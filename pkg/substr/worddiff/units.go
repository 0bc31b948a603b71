package worddiff

import (
	"doppel/pkg/text/utf"
	"strings"
	"unicode"
	"unicode/utf8"
)

// units holds the pieces of a text: the start of each and the end of the last one, and a number
// for each, equal for equal pieces.
type units struct {
	starts  []int
	numbers []rune
}

// splitUnits cuts a text into units. unit returns the length of the unit at an offset.
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

// line returns the length of the line at an offset, including its line end.
func line(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return n + 1
	}
	return len(text) - at
}

// word returns the length of the word at an offset, or of the spaces, or of any other single
// character. In scripts without spaces each character is a word, and so is each character of an
// overlong word, so that a difference of one character in it is visible.
func word(text string, at int) int {
	r, first := utf8.DecodeRuneInString(text[at:])
	kind := kindOf(r)
	if before, _ := utf8.DecodeLastRuneInString(text[:at]); kind == other || at > 0 && kindOf(before) == kind {
		return first // in the second case within an overlong word
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

// longest is the maximum number of bytes of a word.
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
