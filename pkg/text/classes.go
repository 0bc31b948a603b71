package text

import (
	"sync"
	"unicode"
)

// A class says what a character is to the words.
type class byte

const (
	separator class = iota
	letter          // part of a word
	alone           // a word of its own, in scripts written without spaces
)

// spaceless are the scripts in which each character is a word.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// classes holds, for one normalization, what each character becomes.
type classes struct {
	how   Normalization
	ascii [128]byte // the folded byte, 0 for a separator
	once  sync.Once
	low   []folded // by rune, for the basic plane; made when first needed
}

type folded struct {
	to    rune
	class class
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

// of returns what the rune becomes.
func (c *classes) of(r rune) (rune, class) {
	if r > 0xffff {
		return c.classify(r)
	}
	c.once.Do(c.fill)
	return c.low[r].to, c.low[r].class
}

func (c *classes) fill() {
	c.low = make([]folded, 1<<16)
	for r := range c.low {
		to, k := c.classify(rune(r))
		c.low[r] = folded{to, k}
	}
}

// classify looks a rune up in Unicode's tables.
func (c *classes) classify(r rune) (rune, class) {
	if c.how == None {
		return r, c.boundary(r)
	}
	return unicode.ToLower(r), c.boundary(r)
}

func (c *classes) boundary(r rune) class {
	switch {
	case c.how == Balanced && !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc):
		return separator
	case unicode.IsSpace(r) || r == 0:
		return separator
	case r > unicode.MaxLatin1 && unicode.In(r, spaceless...):
		return alone
	}
	return letter
}

// invalid returns what a byte that is not UTF-8 becomes.
func (c *classes) invalid(b byte) byte {
	if c.how == Balanced {
		return 0
	}
	return b
}
