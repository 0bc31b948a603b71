package worddiff

import (
	"doppel/pkg/text/utf"
	"strings"
	"unicode"
	"unicode/utf8"
)

// units are the pieces of a text: where each starts, and the end of the last
// one; and by which number it goes, the same for equal ones.
type units struct {
	starts  []int
	numbers []rune
}

// cut cuts a text into units. Unit returns the length of the one at an offset.
func cut(text string, unit func(string, int) int, numbers map[string]rune) (u units) {
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

// line returns the length of the line at an offset, with its end.
func line(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return n + 1
	}
	return len(text) - at
}

// word returns the length of the word at an offset, or of spaces, or of a character
// that is neither. In writing without spaces each character is a word, and so it
// is in what is too long to be one: there a difference of one character is to show.
func word(text string, at int) int {
	r, first := utf8.DecodeRuneInString(text[at:])
	kind := kindOf(r)
	if before, _ := utf8.DecodeLastRuneInString(text[:at]); kind == other || at > 0 && kindOf(before) == kind {
		return first // in the second case within what is too long
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

// longest is how many bytes a word may have.
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
