package text

import (
	"math/bits"
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

// fill asks x/text for all of the basic plane, which takes 2 ms.
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

// decompose returns the NFKD of the text: the text itself, or in dst.
func (d *decomposer) decompose(dst, text []byte) []byte {
	d.once.Do(d.fill)
	at := 0
	for at < len(text) {
		n, found := d.block(text[at:])
		if found != 0 {
			break
		}
		at += n
	}
	if at == len(text) {
		return text
	}
	dst = append(dst[:0], text[:at]...)
	for at < len(text) {
		n, found := d.block(text[at:])
		dst, n = d.blockTo(dst, text[at:], n, found)
		at += n
	}
	return dst
}

// block returns the length of up to 64 bytes of whole code points, or 1 for
// one that is not UTF-8, and where among them is what may not be inert.
func (d *decomposer) block(text []byte) (n int, found mask) {
	var end [mixedBytes]byte
	in := &end
	if n = len(text); n < mixedBytes {
		copy(end[:], text)
	} else {
		in = (*[mixedBytes]byte)(text)
	}
	var k kinds
	var lower [blockBytes]byte
	scan(&lower, (*[blockBytes]byte)(in[:]), &k)
	if n = min(n, blockBytes); k.high == 0 {
		return n, 0
	}
	n = k.whole(n)
	return max(n, 1), (k.look(in, n, &d.table) | k.four) & k.lead() & below(n)
}

// blockTo appends the NFKD of n bytes, and of what is joined to them, to dst.
// It returns how many bytes that was.
func (d *decomposer) blockTo(dst, text []byte, n int, found mask) ([]byte, int) {
	at := 0
	for found != 0 {
		p := bits.TrailingZeros64(found)
		dst = append(dst, text[at:p]...)
		dst, at = d.run(dst, text, p)
		found &^= below(min(at, blockBytes))
	}
	if at < n {
		return append(dst, text[at:n]...), n
	}
	return dst, at
}

// run appends the NFKD of what begins at a byte of the text and goes up to the
// next code point that is inert, or is one, and returns where it ends.
func (d *decomposer) run(dst, text []byte, at int) ([]byte, int) {
	begin, out, marks, last := at, len(dst), 0, uint8(0)
	for at < len(text) {
		found, r, size := d.of(text[at:])
		switch {
		case isHangul(r):
			dst = appendJamo(dst, r)
		case found.inert():
			if at == begin {
				return append(dst, text[at:at+size]...), at + size
			}
			return dst, at
		case found.first != 0 && found.first < last, marks > marksInLine:
			return d.longRun(dst[:out], text, begin)
		case found.to == nil:
			dst = append(dst, text[at:at+size]...)
		default:
			dst = append(dst, found.to...)
		}
		if marks++; found.starts {
			marks = 0
		}
		last = found.last
		at += size
	}
	return dst, at
}

// longRun is run by x/text. The text before it is in dst.
func (d *decomposer) longRun(dst, text []byte, at int) ([]byte, int) {
	begin := at
	for at < len(text) {
		found, r, size := d.of(text[at:])
		if found.inert() && !isHangul(r) {
			break
		}
		at += size
	}
	return norm.NFKD.Append(dst, text[begin:at]...), at
}

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

// appendJamo appends the letters of a syllable.
func appendJamo(dst []byte, r rune) []byte {
	r -= firstSyllable
	dst = utf8.AppendRune(dst, firstLead+r/(vowels*finals))
	dst = utf8.AppendRune(dst, firstVowel+r/finals%vowels)
	if r%finals != 0 {
		dst = utf8.AppendRune(dst, noFinal+r%finals)
	}
	return dst
}
