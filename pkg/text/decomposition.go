package text

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Compatibility decomposition, NFKD. Most code points are inert: NFKD leaves them unchanged and
// moves no mark across them. Blocks of inert code points are copied. The run between two inert
// code points, usually one code point, is looked up and its decompositions are concatenated, as
// long as their marks are in order. Runs with marks out of order, or very many of them, go to
// golang.org/x/text, which is also the oracle of the tests.
//
// x/text alone is too slow. Russian, Chinese, French and Korean run at 30, 38, 98 and 17 MB/s
// with x/text, at 500, 560, 55 and 11 if x/text gets only the runs that are not inert, and at
// 810, 1,100, 570 and 140 here. The rest of shingling runs at 450 MB/s.

// notInert is the class of code points that are not inert.
const notInert class = 1

// marksInLine is how many marks may follow each other before x/text takes over; it inserts a
// joiner after 30. One mark may decompose into three.
const marksInLine = 8

// A decomposition holds the NFKD of a code point and the combining classes of its ends, which
// are 0 unless it begins or ends with a mark.
type decomposition struct {
	to          []byte // nil: the code point itself
	first, last uint8
	starts      bool // nothing before it combines with it
}

// A decomposer holds the decompositions of the code points up to lastBasic.
type decomposer struct {
	table
	once  sync.Once
	place []uint16 // by code point: index into all; 0 if it is inert
	all   []decomposition
}

const lastBasic = 1<<16 - 1

var decompositions decomposer

// buildTable asks x/text for every code point of the basic plane, at the first text that is not
// ASCII. It takes 2.6 ms.
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

// lookUp asks x/text for the first code point of b.
func lookUp(b []byte) decomposition {
	p := norm.NFKD.Properties(b)
	return decomposition{p.Decomposition(), p.LeadCCC(), p.TrailCCC(), p.BoundaryBefore()}
}

func (d *decomposition) inert() bool { return d.to == nil && d.starts && d.last == 0 }

// lookUpIn returns the decomposition of the first code point of b.
func (d *decomposer) lookUpIn(b []byte) (*decomposition, rune, int) {
	r, size := utf8.DecodeRune(b)
	if r <= lastBasic {
		return &d.all[d.place[r]], r, size
	}
	found := lookUp(b)
	return &found, r, size
}

// Hangul syllables are numbered by leading consonant, vowel, and final consonant or none.
const (
	firstSyllable, lastSyllable = 0xac00, 0xd7a3
	firstLead                   = 0x1100
	firstVowel, vowels          = 0x1161, 21
	noFinal, finals             = 0x11a7, 28
)

func isHangul(r rune) bool { return firstSyllable <= r && r <= lastSyllable }
