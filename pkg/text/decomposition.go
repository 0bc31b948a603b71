package text

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Compatibility decomposition, NFKD. Most code points are inert: they stay as
// they are, and nothing moves over them. Blocks of those are copied. Of the
// others the decompositions, of which one is the rule between two inert code
// points, are looked up and put one behind the other, as long as their marks
// are in order; where they are not, or are very many, golang.org/x/text does
// the run between two inert code points. It is also the oracle of the tests.
//
// x/text alone is too slow: 30 MB/s of Russian, 38 of Chinese, 98 of French and 17 of
// Korean, where this has 810, 1,100, 570 and 140, and all of shingling after it 450.
// Left only to what is not inert it has 500, 560, 55 and 11.

// moves is the class of what is not inert in a table.
const moves class = 1

// marksInLine is how many marks may follow each other before x/text is asked,
// which puts a joiner behind 30. Some become three.
const marksInLine = 8

// A decomposition is what a code point becomes, and the combining classes of
// its ends: 0 unless it begins or ends with a mark.
type decomposition struct {
	to          []byte // nil for itself
	first, last uint8
	starts      bool // nothing before it is joined to it
}

// A decomposer has what is known of the code points below lastBasic.
type decomposer struct {
	table
	once  sync.Once
	place []uint16 // by code point: where in all it is; 0 if it is inert
	all   []decomposition
}

const lastBasic = 1<<16 - 1

var decompositions decomposer

// fill asks x/text for all of the basic plane, once a text is not all ASCII. It
// takes 2.6 ms.
func (d *decomposer) fill() {
	d.place, d.all = make([]uint16, lastBasic+1), make([]decomposition, 1)
	d.all[0].starts = true
	d.rest = make([]class, lastBasic+1)
	var b [utf8.UTFMax]byte
	for r := rune(utf8.RuneSelf); r <= lastBasic; r++ {
		found := lookUp(b[:utf8.EncodeRune(b[:], r)])
		if found.inert() && !isHangul(r) {
			continue
		}
		if d.place[r] = uint16(len(d.all)); r < twoBytes {
			d.two[r] = moves
		} else {
			d.rest[r] = moves
		}
		d.all = append(d.all, found)
	}
}

// lookUp asks x/text for the code point that b begins with.
func lookUp(b []byte) decomposition {
	p := norm.NFKD.Properties(b)
	return decomposition{p.Decomposition(), p.LeadCCC(), p.TrailCCC(), p.BoundaryBefore()}
}

func (d *decomposition) inert() bool { return d.to == nil && d.starts && d.last == 0 }

// of returns the decomposition of the code point that b begins with.
func (d *decomposer) of(b []byte) (*decomposition, rune, int) {
	r, size := utf8.DecodeRune(b)
	if r <= lastBasic {
		return &d.all[d.place[r]], r, size
	}
	found := lookUp(b)
	return &found, r, size
}

// Hangul syllables are counted, consonant by vowel by final consonant or none.
const (
	firstSyllable, lastSyllable = 0xac00, 0xd7a3
	firstLead                   = 0x1100
	firstVowel, vowels          = 0x1161, 21
	noFinal, finals             = 0x11a7, 28
)

func isHangul(r rune) bool { return firstSyllable <= r && r <= lastSyllable }
