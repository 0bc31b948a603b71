package text

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// A class is a set of bits that describe the role of a character in a word. It has three bits,
// which lets mixed.go pack the classes of a block into one mask.
type class byte

const (
	letter  class = 1 << iota // part of a word
	changes                   // differs from its lower case
	alone                     // forms a word of its own, as in scripts written without spaces
)

// separator is the class of characters between words.
const separator class = 0

// words lists the Unicode categories whose characters form words under Balanced.
var words = []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.Pc}

// The bounds of the tables. Code points below twoBytes have at most two bytes in UTF-8. Code points
// from U+40000 on are not in the tables; the only assigned ones are tags, variation selectors and
// private-use characters.
const (
	twoBytes = 0x800
	tabled   = 0x40000
)

// A table holds the class of each code point below U+40000.
type table struct {
	two  [twoBytes]class // classes of code points of up to two bytes in UTF-8
	rest []class         // classes of three-byte and four-byte code points

	// lower holds the lower case of each code point, encoded in UTF-8, with the first byte in the
	// low bits. An entry is 0 if the code point is its own lower case, or if the lower case does
	// not have two bytes.
	lower [twoBytes]uint16
}

// classes holds the class and the folded form of each character under one normalization. The tables
// are built when the first text that is not ASCII is folded. Building them from the ranges of
// package unicode takes 0.7 ms; looking up each code point of the basic plane in that package would
// take 2.6 ms.
type classes struct {
	table // for code points below U+40000
	how   Normalization
	ascii [128]byte // folded form of each ASCII character; 0 for a separator
	once  sync.Once
}

var allClasses = func() (all [3]*classes) {
	for how := range all {
		c := &classes{how: Normalization(how)}
		for b := range c.ascii {
			if to, k := c.classify(rune(b)); k != separator {
				c.ascii[b] = byte(to)
			}
		}
		all[how] = c
	}
	return all
}()

func classesOf(how Normalization) *classes { return allClasses[min(how, Balanced)] }

// folded returns the folded form and the class of a code point above ASCII.
func (c *classes) folded(r rune) (rune, class) {
	if r >= tabled {
		return c.classify(r)
	}
	c.once.Do(c.buildTables)
	k := c.rest[r]
	if r < twoBytes {
		k = c.two[r]
	}
	if k&changes != 0 {
		r = c.toLower(r)
	}
	return r, k
}

// toLower returns the lower case of a code point whose class has the changes flag.
func (c *classes) toLower(r rune) rune {
	if r < twoBytes && c.lower[r] != 0 {
		return rune(c.lower[r]&0x1f)<<6 | rune(c.lower[r]>>8&0x3f)
	}
	return unicode.ToLower(r)
}

// classify returns the folded form and the class of any code point, according to package unicode.
func (c *classes) classify(r rune) (rune, class) {
	to, k := r, letter
	switch {
	case c.how == Balanced && !unicode.In(r, words...), unicode.IsSpace(r), r == 0:
		return r, separator
	case r > unicode.MaxLatin1 && unicode.In(r, utf.Spaceless...):
		k = alone
	}
	if c.how != None {
		to = unicode.ToLower(r)
	}
	if to != r {
		k |= changes
	}
	return to, k
}

// invalid returns the folded form of a byte that is not valid UTF-8; 0 means a separator.
func (c *classes) invalid(b byte) byte {
	if c.how == Balanced {
		return 0
	}
	return b
}

// buildTables builds the tables from the ranges of package unicode. The tables agree with classify.
// The entries of c.rest below twoBytes are separators: only overlong encodings, which are invalid,
// reach them.
func (c *classes) buildTables() {
	all := make([]class, tabled)
	if c.how == Balanced {
		eachRun(all, words, setTo(letter))
	} else {
		setTo(letter)(all)
	}
	eachRun(all, []*unicode.RangeTable{unicode.White_Space}, setTo(separator))
	eachRun(all, utf.Spaceless, func(run []class) {
		for i, k := range run {
			if k == letter {
				run[i] = alone
			}
		}
	})
	for _, cases := range unicode.CaseRanges {
		for r := rune(cases.Lo); c.how != None && r <= rune(cases.Hi) && r < tabled; r++ {
			to := unicode.ToLower(r)
			if to == r {
				continue
			}
			if all[r] != separator {
				all[r] |= changes
			}
			if utf8.RuneLen(r) == 2 && utf8.RuneLen(to) == 2 {
				c.lower[r] = 0xc0 | uint16(to>>6) | 0x8000 | uint16(to&0x3f)<<8
			}
		}
	}
	copy(c.two[unicode.MaxASCII+1:], all[unicode.MaxASCII+1:])
	clear(all[:twoBytes])
	c.rest = all
}

// setTo returns a function that sets the class of each code point in a run to k.
func setTo(k class) func(run []class) {
	return func(run []class) {
		for i := range run {
			run[i] = k
		}
	}
}

// eachRun calls set for each run of elements whose code points are in the Unicode tables. The
// element of the code point r is all[r]. Calling set once for each code point took 7 million
// instructions.
func eachRun(all []class, tables []*unicode.RangeTable, set func(run []class)) {
	for _, t := range tables {
		for _, r := range t.R16 {
			eachRunOf(all, int(r.Lo), int(r.Hi), int(r.Stride), set)
		}
		for _, r := range t.R32 {
			eachRunOf(all, int(r.Lo), min(int(r.Hi), len(all)-1), int(r.Stride), set)
		}
	}
}

func eachRunOf(all []class, low, high, stride int, set func(run []class)) {
	if stride == 1 && low <= high {
		set(all[low : high+1])
		return
	}
	for at := low; at <= high; at += stride {
		set(all[at : at+1])
	}
}
