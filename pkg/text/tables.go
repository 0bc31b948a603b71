package text

import (
	"unicode"
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// fill makes the tables as classify has it, range by range. Code points that
// have too few bytes for their place stay separators: UTF-8 does not allow them.
func (c *classes) fill() {
	all := make([]class, tabled)
	c.fillWords(all)
	mark(all, []*unicode.RangeTable{unicode.White_Space}, to(separator))
	mark(all, utf.Spaceless, func(run []class) {
		for i, k := range run {
			if k == letter {
				run[i] = alone
			}
		}
	})
	if c.how != None {
		c.fillCases(all)
	}
	copy(c.two[unicode.MaxASCII+1:], all[unicode.MaxASCII+1:])
	clear(all[:twoBytes])
	c.rest = all
}

func (c *classes) fillWords(all []class) {
	if c.how == Balanced {
		mark(all, words, to(letter))
		return
	}
	to(letter)(all)
}

// to returns what makes a run of code points all of one class.
func to(k class) func(run []class) {
	return func(run []class) {
		for i := range run {
			run[i] = k
		}
	}
}

// fillCases marks what has another lower case.
func (c *classes) fillCases(all []class) {
	for _, cases := range unicode.CaseRanges {
		for r := rune(cases.Lo); r <= rune(cases.Hi) && r < tabled; r++ {
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
