package quality

import (
	"unicode"
	"unicode/utf8"
)

// A class says what a character is to a word.
type class uint8

const (
	other    class = iota // punctuation, symbols, controls, bad bytes
	space                 // white space: ends a word
	wordChar              // letter, mark or number of a script with spaces
	lone                  // letter of a script without spaces: a word by itself
	loneMark              // mark of such a script: belongs to the letter before it
)

// The tables answer for the code points below tabled; they take
// 66 KB and 1 ms to fill.
const tabled = 0x3400

var (
	classTable [tabled]class
	lowerTable [tabled]rune
)

func init() {
	for r := range rune(tabled) {
		classTable[r], lowerTable[r] = slowClass(r), unicode.ToLower(r)
	}
}

func classOf(r rune) class {
	switch {
	case r < tabled:
		return classTable[r]
	case r <= 0x9fff: // Han, extension A and the main block
		return lone
	case 0xac00 <= r && r <= 0xd7a3: // Hangul syllables
		return wordChar
	}
	return slowClass(r)
}

// withoutSpaces are the scripts that do not put spaces between words.
var withoutSpaces = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

func slowClass(r rune) class {
	switch {
	case r == utf8.RuneError:
		return other
	case unicode.IsSpace(r):
		return space
	case unicode.IsLetter(r) && unicode.In(r, withoutSpaces...):
		return lone
	case unicode.IsMark(r) && unicode.In(r, withoutSpaces...):
		return loneMark
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
		return wordChar
	}
	return other
}

func lower(r rune) rune {
	if r < tabled {
		return lowerTable[r]
	}
	return unicode.ToLower(r)
}
