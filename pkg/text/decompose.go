package text

import (
	"math/bits"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// decompose returns the NFKD of the text: the text itself, or in dst.
func (d *decomposer) decompose(dst, text []byte) []byte {
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
		rest := text[at:]
		done := 0 // of the block, and what is joined to it
		for found != 0 {
			p := bits.TrailingZeros64(found)
			dst = append(dst, rest[done:p]...)
			dst, done = d.run(dst, rest, p)
			found &^= below(min(done, blockBytes))
		}
		if done < n {
			dst, done = append(dst, rest[done:n]...), n
		}
		at += done
	}
	return dst
}

// block returns the length of up to 64 bytes of whole code points, or of what
// is not UTF-8, and where among them is what may not be inert.
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
	d.once.Do(d.fill)
	if n = k.whole(n); n == 0 {
		// Bytes that are not UTF-8 stay as they are. x/text waits for four bytes where
		// the first could begin as many, and leaves all as it is if there are fewer.
		if text[0]&0xf8 == 0xf0 && len(text) < utf8.UTFMax {
			return len(text), 0
		}
		return 1, 0
	}
	return n, (k.look(in, n, &d.table) | k.four) & k.lead() & below(n)
}

// run appends the NFKD of what begins at a byte of the text and goes up to the
// next code point that is inert, or is one, and returns where it ends.
func (d *decomposer) run(dst, text []byte, at int) ([]byte, int) {
	begin, out, marks, last := at, len(dst), 0, uint8(0)
	for at < len(text) {
		found, r, size := d.of(text[at:])
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
