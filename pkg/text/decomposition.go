package text

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// This file and decompose.go implement NFKD, the compatibility decomposition of Unicode. Most code
// points are inert: NFKD leaves them unchanged and moves no mark across them. Blocks of inert code
// points are copied. A run of other code points, usually a single one, is decomposed by looking up
// each code point in a table. A run whose marks are out of order, or that has many marks in a row,
// is passed to golang.org/x/text. The tests compare all results with those of x/text.
//
// x/text alone is too slow. Russian, Chinese, French and Korean texts are decomposed at 30, 38, 98
// and 17 MB/s with x/text alone, at 500, 560, 55 and 11 MB/s if only the runs that are not inert
// are passed to x/text, and at 810, 1,100, 570 and 140 MB/s by this code. The other steps of
// shingling run at 450 MB/s.

// In the table of a decomposer, notInert is the class of the code points that are not inert. Inert
// code points have class 0.
const notInert class = 1

// A run with more than marksInLine marks in a row is passed to x/text, because x/text inserts a
// combining grapheme joiner after 30 marks. The limit is well below 30, because one code point may
// decompose into three marks.
const marksInLine = 8

// A decomposition holds the NFKD of a code point and the combining classes of the first and last
// code points of the NFKD. A combining class is 0 if the code point is not a mark.
type decomposition struct {
	to          []byte // nil if the code point does not change
	first, last uint8
	starts      bool // the code point never combines with a code point before it
}

// A decomposer holds the decompositions of the code points up to lastBasic.
type decomposer struct {
	table
	once  sync.Once
	place []uint16 // index of each code point's decomposition in decomposer.all; 0 if inert
	all   []decomposition
}

const lastBasic = 1<<16 - 1

var decompositions decomposer

// buildTable fills the tables from x/text, in 2.6 ms. It is called when the first text that is not
// ASCII is decomposed.
func (d *decomposer) buildTable() {
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
			d.two[r] = notInert
		} else {
			d.rest[r] = notInert
		}
		d.all = append(d.all, found)
	}
}

// lookUp returns the decomposition of the first code point of b according to x/text.
func lookUp(b []byte) decomposition {
	p := norm.NFKD.Properties(b)
	return decomposition{p.Decomposition(), p.LeadCCC(), p.TrailCCC(), p.BoundaryBefore()}
}

func (d *decomposition) inert() bool { return d.to == nil && d.starts && d.last == 0 }

// lookUpIn returns the decomposition of the first code point of b, the code point and its size in
// bytes. The decomposition of a Hangul syllable is not stored; see appendRun.
func (d *decomposer) lookUpIn(b []byte) (*decomposition, rune, int) {
	r, size := utf8.DecodeRune(b)
	if r <= lastBasic {
		return &d.all[d.place[r]], r, size
	}
	found := lookUp(b)
	return &found, r, size
}

// Hangul syllables are in the order of their leading consonants, vowels and final consonants, so
// their decompositions can be computed. noFinal stands for the missing final consonant.
const (
	firstSyllable, lastSyllable = 0xac00, 0xd7a3
	firstLead                   = 0x1100
	firstVowel, vowels          = 0x1161, 21
	noFinal, finals             = 0x11a7, 28
)

func isHangul(r rune) bool { return firstSyllable <= r && r <= lastSyllable }
