package text

import (
	"unicode"
	"unicode/utf8"
)

// fill makes the tables as classify has it, range by range. Code points that
// have too few bytes for their place stay separators: UTF-8 does not allow them.
func (c *classes) fill() {
	all := make([]class, tabled)
	c.fillWords(all)
	mark(all, []*unicode.RangeTable{unicode.White_Space}, func(k *class) { *k = separator })
	mark(all, spaceless, func(k *class) {
		if *k == letter {
			*k = alone
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
		mark(all, words, func(k *class) { *k = letter })
		return
	}
	for r := range all {
		all[r] = letter
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

// mark calls set for each code point of the tables that all has.
func mark(all []class, tables []*unicode.RangeTable, set func(*class)) {
	for _, t := range tables {
		for _, r := range t.R16 {
			for at := int(r.Lo); at <= int(r.Hi); at += int(r.Stride) {
				set(&all[at])
			}
		}
		for _, r := range t.R32 {
			for at := int(r.Lo); at <= int(r.Hi) && at < len(all); at += int(r.Stride) {
				set(&all[at])
			}
		}
	}
}
