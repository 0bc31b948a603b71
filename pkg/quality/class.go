package quality

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// A class describes a character. The bits in the mask classBits hold the character's role in a
// word; the other bits are flags.
type class uint8

const (
	other    class = iota // punctuation, symbols, controls, invalid bytes
	space                 // white space: ends a word
	wordChar              // letter, mark or number of a script with spaces
	lone                  // letter of a script without spaces: the letter is a word
	loneMark              // mark of a script without spaces: belongs to the letter before it

	classBits class = 7
	cased     class = 1 << 3 // flag: the character differs from its lower case
	alphabet  class = 1 << 4 // flag: letter
	combining class = 1 << 5 // flag: mark
)

// basic is the number of code points in Unicode's basic plane.
const basic = 0x10000

// classTable holds the classes of the characters of Unicode's basic plane. fillClasses fills it
// from the range tables of package unicode in 0.15 ms; looking up each character in package unicode
// would take 5 ms.
var classTable [basic]class

// lowered is the number of entries in lowerTable.
const lowered = 0x600

// lowerTable[r] is the lower case of r, or 0 if r is its own lower case.
var lowerTable [lowered]uint16

// fillClasses fills classTable, lowerTable and asciiClass when it is called first.
var fillClasses = sync.OnceFunc(func() {
	setClasses(unicode.White_Space, func(class) class { return space })
	setClasses(unicode.N, func(class) class { return wordChar })
	setClasses(unicode.M, func(class) class { return wordChar | combining })
	setClasses(unicode.L, func(class) class { return wordChar | alphabet })
	for _, t := range utf.Spaceless {
		setClasses(t, alone)
	}
	for i := range asciiClass {
		asciiClass[i] = nonASCII
	}
	for i := range utf8.RuneSelf {
		asciiClass[i] = classTable[i] & classBits
	}
	for _, cases := range unicode.CaseRanges {
		for r := rune(cases.Lo); r <= rune(cases.Hi) && r < basic; r++ {
			to := unicode.ToLower(r)
			if to != r {
				classTable[r] |= cased
			}
			if r < lowered {
				lowerTable[r] = uint16(to)
			}
		}
	}
})

// alone returns the class that replaces c for a character of a script without spaces.
func alone(c class) class {
	switch {
	case c&alphabet != 0:
		return lone | alphabet
	case c&combining != 0:
		return loneMark | combining
	}
	return c
}

// setClasses replaces the class of each character of t in the basic plane by set(class).
func setClasses(t *unicode.RangeTable, set func(class) class) {
	for _, r := range t.R16 {
		for at := int(r.Lo); at <= int(r.Hi); at += int(r.Stride) {
			classTable[at] = set(classTable[at])
		}
	}
}

// classOf returns the class of a character, including its flags.
func classOf(r rune) class {
	switch {
	case r < basic:
		return classTable[r]
	case 0x1f300 <= r && r <= 0x1faff: // emoji and other pictographs
		return other
	}
	c := other
	switch {
	case unicode.IsLetter(r):
		c = wordChar | alphabet
	case unicode.IsMark(r):
		c = wordChar | combining
	case unicode.IsNumber(r):
		c = wordChar
	}
	if unicode.In(r, utf.Spaceless...) {
		c = alone(c)
	}
	if unicode.ToLower(r) != r {
		c |= cased
	}
	return c
}

// lower returns the lower case of a character whose class has the cased flag.
func lower(r rune) rune {
	if r < lowered {
		return rune(lowerTable[r])
	}
	return unicode.ToLower(r)
}
