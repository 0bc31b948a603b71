package language

import "unicode"

// A script is the writing system of a letter, as far as it tells languages
// apart.
type script uint8

const (
	none script = iota // no letter, or one of a script that is not known here

	// written by several languages, told apart by their models
	latin
	cyrillic
	arabic
	devanagari
	bengali
	modelled // the number of these, with none

	// Chinese, Japanese, Korean: told apart by the mixture
	han
	kana
	hangul
)

// single are the scripts that stand for one language each; their number is
// hangul+1 and up.
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

// scripts bounds the numbers of all scripts.
const scripts = 32

// The tables answer for code points below tabled, 60 KB of them.
const tabled = 0x3400

var (
	scriptTable [tabled]script
	lowerTable  [tabled]uint16
)

func init() {
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
}

// tabulate enters the letters and marks of one script.
func tabulate(t *unicode.RangeTable, s script) {
	for _, r16 := range t.R16 {
		for r := rune(r16.Lo); r <= rune(r16.Hi) && r < tabled; r += rune(r16.Stride) {
			if unicode.IsLetter(r) || unicode.IsMark(r) {
				scriptTable[r], lowerTable[r] = s, uint16(unicode.ToLower(r))
			}
		}
	}
}

// classify returns the script of a code point, and its lower case: 16 bits of
// it, which is all that the modelled scripts need.
func classify(r rune) (script, uint16) {
	switch {
	case r < tabled:
		return scriptTable[r], lowerTable[r]
	case r <= 0x9fff || 0xf900 <= r && r <= 0xfaff || 0x20000 <= r && r <= 0x3ffff:
		return han, 0
	case 0xac00 <= r && r <= 0xd7a3:
		return hangul, 0
	case 0xff66 <= r && r <= 0xff9d:
		return kana, 0
	case 0xfb50 <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfefc:
		return arabic, uint16(r)
	}
	return none, 0
}
