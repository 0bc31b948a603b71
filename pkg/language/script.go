package language

import (
	"sync"
	"unicode"

	"doppel/pkg/text/utf"
)

// A script is a writing system that helps to identify languages.
type script uint8

const (
	none script = iota // not a letter, or a letter of an unknown script

	// Each of the following scripts is shared by several languages, which a model distinguishes.
	latin
	cyrillic
	arabic
	devanagari
	bengali
	modelled // number of constants above

	// The proportions of the following scripts distinguish Chinese, Japanese and Korean.
	han
	kana
	hangul
)

// single contains the scripts that only one language uses. These scripts are numbered from
// hangul+1.
var single = []struct {
	table    *unicode.RangeTable
	language string
}{
	{unicode.Greek, "ell"}, {unicode.Hebrew, "heb"}, {unicode.Armenian, "hye"}, {unicode.Georgian, "kat"},
	{unicode.Thai, "tha"}, {unicode.Lao, "lao"}, {unicode.Khmer, "khm"}, {unicode.Myanmar, "mya"},
	{unicode.Tamil, "tam"}, {unicode.Telugu, "tel"}, {unicode.Kannada, "kan"}, {unicode.Malayalam, "mal"},
	{unicode.Gujarati, "guj"}, {unicode.Gurmukhi, "pan"}, {unicode.Sinhala, "sin"}, {unicode.Ethiopic, "amh"},
	{unicode.Tibetan, "bod"},
}

// scripts is an upper bound on the number of scripts.
const scripts = 32

// A letter contains the script of a code point and, in its low 16 bits, the lower case of the
// code point. 16 bits suffice for the modelled scripts.
type letter uint32

func newLetter(s script, lower uint16) letter { return letter(s)<<16 | letter(lower) }

func (l letter) script() script { return script(l >> 16) }
func (l letter) lower() uint64  { return uint64(l & 0xffff) }

// tabled is the number of code points in letterTable, which takes 53 KB.
const tabled = 0x3400

// letterTable is filled by fillLetters.
var letterTable [tabled]letter

// fillLetters fills letterTable, in 0.3 ms, when it is called first.
var fillLetters = sync.OnceFunc(func() {
	shared := map[script][]*unicode.RangeTable{
		latin: {unicode.Latin}, cyrillic: {unicode.Cyrillic}, arabic: {unicode.Arabic},
		devanagari: {unicode.Devanagari}, bengali: {unicode.Bengali},
		han: {unicode.Han}, kana: {unicode.Hiragana, unicode.Katakana}, hangul: {unicode.Hangul},
	}
	for s, tables := range shared {
		for _, t := range tables {
			tabulate(t, s)
		}
	}
	for i, one := range single {
		tabulate(one.table, hangul+1+script(i))
	}
})

// tabulate enters the letters and marks of one script into letterTable.
func tabulate(t *unicode.RangeTable, s script) {
	for _, r16 := range t.R16 {
		for r := rune(r16.Lo); r <= rune(r16.Hi) && r < tabled; r += rune(r16.Stride) {
			if unicode.IsLetter(r) || unicode.IsMark(r) {
				letterTable[r] = newLetter(s, uint16(unicode.ToLower(r)))
			}
		}
	}
}

// classify returns the letter of a code point.
func classify(r rune) letter {
	switch {
	case r < tabled:
		return letterTable[r]
	case r <= 0x9fff || 0xf900 <= r && r <= 0xfaff || 0x20000 <= r && r <= 0x3ffff:
		return newLetter(han, 0)
	case 0xac00 <= r && r <= 0xd7a3:
		return newLetter(hangul, 0)
	case 0xff66 <= r && r <= 0xff9d:
		return newLetter(kana, 0)
	case 0xfb50 <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfefc:
		return newLetter(arabic, uint16(r))
	}
	return newLetter(none, 0)
}

// decode decodes the first code point of b, which must not be ASCII. It returns the code point's
// letter, and its size in bytes.
func decode(b []byte) (letter, int) {
	r, size := utf.Decode(b)
	return classify(r), size
}
