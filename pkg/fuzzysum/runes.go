package fuzzysum

import (
	"doppel/pkg/text/utf"
	"unicode"
	"unicode/utf8"
)

// Values in ascii for bytes other than letters and digits. The value for a letter is its lower-case
// form; the value for a digit is the digit itself.
const (
	separator = 0x80 + iota
	notASCII
)

var ascii = func() (table [256]uint8) {
	for b := range table {
		switch r := rune(b); {
		case b >= utf8.RuneSelf:
			table[b] = notASCII
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			table[b] = uint8(unicode.ToLower(r))
		default:
			table[b] = separator
		}
	}
	return table
}()

// A class says whether a character is part of a word.
type class uint8

const (
	noWord     class = iota // a character that separates words
	partOfWord              // a letter, mark or digit of a word
	wholeWord               // a word of one character, in a script written without spaces
)

func classify(r rune) class {
	switch {
	case !unicode.In(r, unicode.L, unicode.M, unicode.Nd):
		return noWord
	case unicode.In(r, utf.Spaceless...):
		return wholeWord
	}
	return partOfWord
}

// fold converts r to upper case and then to lower case. This makes, for example, both lower-case
// forms of the Greek sigma equal.
func fold(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }

// A runeCache caches the properties of characters, because a lookup in the tables of package
// unicode takes about 100 ns. Its zero value is ready to use.
type runeCache [1024]knownRune

type knownRune struct {
	r      rune
	folded uint32 // UTF-8 encoding of the folded character; the first byte is the least significant
	class  class
	space  bool
}

// lookup returns the properties of r, which must not be NUL.
func (c *runeCache) lookup(r rune) *knownRune {
	known := &c[uint32(r)%uint32(len(c))]
	if known.r != r {
		known.setProperties(r)
	}
	return known
}

// setProperties sets k to the properties of r. The Unicode blocks of Han and Hangul have more
// characters than the cache has entries, but all characters of such a block have the same class and
// no case, so no table lookup is needed.
func (k *knownRune) setProperties(r rune) {
	switch {
	case '\u4e00' <= r && r <= '\u9fff':
		*k = knownRune{r, packUTF8(r), wholeWord, false}
	case '\uac00' <= r && r <= '\ud7a3':
		*k = knownRune{r, packUTF8(r), partOfWord, false}
	default:
		*k = knownRune{r, packUTF8(fold(r)), classify(r), unicode.IsSpace(r)}
	}
}

// packUTF8 returns the UTF-8 encoding of r as a number whose least significant byte is the first
// byte.
func packUTF8(r rune) (n uint32) {
	var text [utf8.UTFMax]byte
	for i, b := range text[:utf8.EncodeRune(text[:], r)] {
		n |= uint32(b) << (8 * i)
	}
	return n
}
