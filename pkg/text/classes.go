package text

import (
	"sync"
	"unicode"

	"doppel/pkg/text/utf"
)

// A class says what a character is to the words, in the lowest bits of a byte.
type class byte

const (
	letter  class = 1 << iota // part of a word
	changes                   // has another lower case
	alone                     // a word of its own, in scripts written without spaces
)

// separator is the class of what stands between words.
const separator class = 0

// words are the categories of what belongs to words under Balanced.
var words = []*unicode.RangeTable{unicode.L, unicode.M, unicode.N, unicode.Pc}

// The code points in tables: those of two bytes of UTF-8, and all others of the
// planes in which anything has been written down.
const (
	twoBytes = 0x800
	tabled   = 0x40000
)

// A table has the classes of code points.
type table struct {
	two  [twoBytes]class // by code point, of two bytes
	rest []class         // by code point, of three bytes and four

	// The lower case in UTF-8, first byte lowest, of a code point of two bytes
	// that has another, of two bytes too; else 0.
	lower [twoBytes]uint16
}

// classes holds, for one normalization, what each character is and becomes.
// The tables are made when a text first has what is not ASCII, in .7 ms, of
// Unicode's ranges; to ask Unicode for each of the basic plane alone takes 2.6.
type classes struct {
	table // up to tabled
	how   Normalization
	ascii [128]byte // the folded byte, 0 for a separator
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

// classesOf returns the classes of a normalization.
func classesOf(how Normalization) *classes { return allClasses[min(how, Balanced)] }

// of returns what a code point above ASCII is and becomes.
func (c *classes) of(r rune) (rune, class) {
	if r >= tabled {
		return c.classify(r)
	}
	c.once.Do(c.fill)
	k := c.rest[r]
	if r < twoBytes {
		k = c.two[r]
	}
	if k&changes != 0 {
		r = c.toLower(r)
	}
	return r, k
}

// toLower returns the lower case of a code point that has another.
func (c *classes) toLower(r rune) rune {
	if r < twoBytes && c.lower[r] != 0 {
		return rune(c.lower[r]&0x1f)<<6 | rune(c.lower[r]>>8&0x3f)
	}
	return unicode.ToLower(r)
}

// classify looks a code point up in Unicode's tables.
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

// invalid returns what a byte that is not UTF-8 becomes.
func (c *classes) invalid(b byte) byte {
	if c.how == Balanced {
		return 0
	}
	return b
}
