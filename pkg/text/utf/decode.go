// Package utf decodes UTF-8, and says what of Unicode makes words.
//
// Characters of two bytes and of three, which are nearly all, are decoded without
// the tables of unicode/utf8, in .75 of its time for Chinese and .9 for Cyrillic
// (BenchmarkDecode); the rest is for that.
package utf

import (
	"unicode"
	"unicode/utf8"
)

// Spaceless are the scripts that are written without spaces between words, so that each
// letter is one.
var Spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// Len returns the length of the code point that p begins with; a byte that begins none
// is one.
func Len(p []byte) int {
	if p[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRune(p)
	return n
}

// Decode returns the character that p begins with and its size in bytes, as
// utf8.DecodeRune does: utf8.RuneError and 1 for what is no UTF-8, 0 for no bytes.
func Decode(p []byte) (rune, int) {
	if len(p) >= 3 {
		second, third := rune(p[1])^0x80, rune(p[2])^0x80 // under 0x40 if they belong to a character
		switch lead := rune(p[0]); {
		case 0xc2 <= lead && lead < 0xe0 && second < 0x40:
			return lead&0x1f<<6 | second, 2
		case 0xe0 <= lead && lead < 0xf0 && second < 0x40 && third < 0x40:
			if r := lead&0xf<<12 | second<<6 | third; r >= 0x800 && r&0xf800 != 0xd800 {
				return r, 3
			}
		}
	}
	return utf8.DecodeRune(p)
}
