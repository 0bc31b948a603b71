package text

import (
	"math/bits"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// decompose returns the NFKD of text. The result is either text itself or dst, which decompose
// overwrites and grows if necessary.
func (d *decomposer) decompose(dst, text []byte) []byte {
	at := 0
	for at < len(text) {
		n, found := d.scanBlock(text[at:])
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
		n, found := d.scanBlock(text[at:])
		rest := text[at:]
		done := 0 // number of bytes at the start of rest whose NFKD is in dst
		for found != 0 {
			p := bits.TrailingZeros64(found)
			dst = append(dst, rest[done:p]...)
			dst, done = d.appendRun(dst, rest, p)
			found &^= below(min(done, blockBytes))
		}
		if done < n {
			dst, done = append(dst, rest[done:n]...), n
		}
		at += done
	}
	return dst
}

// scanBlock returns the number of bytes of the next complete code points, at most 64, and a mask of
// those code points that might not be inert (see decomposition.go). If the text begins with an
// invalid byte, scanBlock returns the number of bytes to copy unchanged, and 0.
func (d *decomposer) scanBlock(text []byte) (n int, found mask) {
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
	d.once.Do(d.buildTable)
	if n = k.completeBytes(n); n == 0 {
		// Invalid bytes are copied unchanged. If fewer than four bytes are left, and the first
		// could begin a code point of four bytes, all of them are copied, as by x/text.
		if text[0]&0xf8 == 0xf0 && len(text) < utf8.UTFMax {
			return len(text), 0
		}
		return 1, 0
	}
	return n, (k.look(in, n, &d.table) | k.four) & k.lead() & below(n)
}

// appendRun appends the NFKD of the run at text[at], and returns the position where the run ends. A
// run ends before the next inert code point; an inert code point at text[at] is a run of its own.
func (d *decomposer) appendRun(dst, text []byte, at int) ([]byte, int) {
	begin, out, marks, last := at, len(dst), 0, uint8(0)
	for at < len(text) {
		found, r, size := d.lookUpIn(text[at:])
		switch {
		case isHangul(r):
			r -= firstSyllable
			dst = utf8.AppendRune(dst, firstLead+r/(vowels*finals))
			dst = utf8.AppendRune(dst, firstVowel+r/finals%vowels)
			if r%finals != 0 {
				dst = utf8.AppendRune(dst, noFinal+r%finals)
			}
		case found.inert():
			if at == begin {
				return append(dst, text[at:at+size]...), at + size
			}
			return dst, at
		case found.first != 0 && found.first < last, marks > marksInLine:
			return d.appendLongRun(dst[:out], text, begin)
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

// appendLongRun is like appendRun, but uses x/text.
func (d *decomposer) appendLongRun(dst, text []byte, at int) ([]byte, int) {
	begin := at
	for at < len(text) {
		found, r, size := d.lookUpIn(text[at:])
		if found.inert() && !isHangul(r) {
			break
		}
		at += size
	}
	return norm.NFKD.Append(dst, text[begin:at]...), at
}
