package text

import (
	"sync"
	"unicode"
	"unicode/utf8"

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

// fill makes the tables as classify has it, range by range. Code points that
// have too few bytes for their place stay separators: UTF-8 does not allow them.
func (c *classes) fill() {
	all := make([]class, tabled)
	if c.how == Balanced {
		mark(all, words, to(letter))
	} else {
		to(letter)(all)
	}
	mark(all, []*unicode.RangeTable{unicode.White_Space}, to(separator))
	mark(all, utf.Spaceless, func(run []class) {
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

// to returns what makes a run of code points all of one class.
func to(k class) func(run []class) {
	return func(run []class) {
		for i := range run {
			run[i] = k
		}
	}
}

// mark calls set for the runs of code points of the tables that all has: a
// call a run and not one a code point, which took 7 million instructions.
func mark(all []class, tables []*unicode.RangeTable, set func(run []class)) {
	for _, t := range tables {
		for _, r := range t.R16 {
			markRange(all, int(r.Lo), int(r.Hi), int(r.Stride), set)
		}
		for _, r := range t.R32 {
			markRange(all, int(r.Lo), min(int(r.Hi), len(all)-1), int(r.Stride), set)
		}
	}
}

func markRange(all []class, low, high, stride int, set func(run []class)) {
	if stride == 1 && low <= high {
		set(all[low : high+1])
		return
	}
	for at := low; at <= high; at += stride {
		set(all[at : at+1])
	}
}
