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
		dst, n = d.blockTo(dst, text[at:], n, found)
		at += n
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
		return badBytes(text), 0
	}
	return n, (k.look(in, n, &d.table) | k.four) & k.lead() & below(n)
}

// badBytes returns how many bytes stay as they are in a text that does not begin
// with UTF-8. x/text waits for four bytes where the first could begin as many,
// and leaves all as it is if there are fewer.
func badBytes(text []byte) int {
	if text[0]&0xf8 == 0xf0 && len(text) < utf8.UTFMax {
		return len(text)
	}
	return 1
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
