package text

import (
	"math/bits"
	"unicode/utf8"
)

// mixedBytes is the size of a block plus the number of bytes after it that a table lookup may read.
const mixedBytes = blockBytes + 4

// foldMixedBlock folds code points in the next 64 bytes, and returns the number of bytes folded and
// whether all of them are ASCII.
func (f *folder) foldMixedBlock(text []byte) (n int, ascii bool) {
	if len(text) >= mixedBytes {
		n, ascii = f.foldCodePoints((*[mixedBytes]byte)(text), blockBytes)
	} else {
		var end [mixedBytes]byte
		n, ascii = f.foldCodePoints(&end, min(copy(end[:], text), blockBytes))
	}
	if n == 0 {
		n = f.foldRunes(text, 1, classesOf(Balanced))
	}
	return n, ascii
}

// foldCodePoints folds the first n bytes of a block. It stops before an invalid code point, and
// before one whose lower case has another length. It returns the number of bytes folded and whether
// all of them are ASCII.
func (f *folder) foldCodePoints(in *[mixedBytes]byte, n int) (done int, ascii bool) {
	at := len(f.dst)
	out := (*[blockBytes]byte)(f.dst[at : at+blockBytes])
	var k kinds
	scan(out, (*[blockBytes]byte)(in[:]), &k)
	if k.high == 0 {
		f.putEdges(k.word, 0, 0, n)
		return n, true
	}
	n = k.completeBytes(n)
	c := classesOf(Balanced)
	c.once.Do(c.buildTables)
	found := k.classes(in, n, c)
	for change := found >> 1 & k.lead(); change != 0; change &= change - 1 {
		p := bits.TrailingZeros64(change)
		r, size := utf8.DecodeRune(in[p:])
		to := c.toLower(r)
		if utf8.RuneLen(to) != size {
			n = p
			break
		}
		utf8.EncodeRune(out[p:], to)
	}
	if n > 0 {
		letters := found & k.lead()
		letters |= letters<<1 | (letters&k.three)<<2 | (letters&k.four)<<3
		f.putEdges(k.word|letters, found>>2&k.three, k.four, n)
	}
	return n, false
}

// classes returns a mask with the classes of the code points above ASCII that begin in the first n
// bytes. The lowest bit of each class is at the position of the code point's first byte. The
// classes do not overlap, because a class has three bits, and the highest bit (alone) is never set
// for a two-byte code point.
func (k *kinds) classes(in *[mixedBytes]byte, n int, c *classes) mask {
	found := k.look(in, n, &c.table)
	for m := k.four & below(n); m != 0; m &= m - 1 {
		p := bits.TrailingZeros64(m)
		r, _ := utf8.DecodeRune(in[p:]) // if invalid, r is RuneError, a separator
		_, class := c.folded(r)
		found |= mask(class) << uint(p)
	}
	return found
}

// look is like kinds.classes, but ignores code points of four bytes.
func (k *kinds) look(in *[mixedBytes]byte, n int, t *table) mask {
	lead := k.lead() & below(n)
	return look(in, lead&^k.three, lead&k.three&^k.four, t)
}

// plainLook returns the classes of code points in the form described at kinds.classes. The
// parameters two and three are masks of the first bytes of the two-byte and three-byte code points.
func plainLook(in *[mixedBytes]byte, two, three mask, t *table) (found mask) {
	for m := two; m != 0; m &= m - 1 {
		p := uint(bits.TrailingZeros64(m)) % blockBytes
		r := uint(in[p])<<6 | uint(in[p+1])&0x3f
		found |= mask(t.two[r%twoBytes]) << p
	}
	for m := three; m != 0; m &= m - 1 {
		p := uint(bits.TrailingZeros64(m)) % blockBytes
		r := uint(in[p])&0xf<<12 | uint(in[p+1])&0x3f<<6 | uint(in[p+2])&0x3f
		found |= mask(t.rest[r]) << p
	}
	return found
}

// putEdges extends f.dst by n bytes, which have already been written, and appends the edges of the
// words in these bytes to f.edges. The masks mark these bytes:
//   - word: the bytes of all words but those marked in alones
//   - alones: the first byte of each code point that is a word of its own
//   - four: the first byte of each code point of four bytes; the others in alones have three
func (f *folder) putEdges(word, alones, four mask, n int) {
	at, in := int32(len(f.dst)), below(n)
	word &= in
	alones &= in
	before := word<<1 | f.inWord
	begins := word&^before | alones
	ends := (before&^word | (alones&^four)<<3 | (alones&four)<<4) & in
	// The starts of words have even indices in edges, and the ends have odd indices.
	edges := f.edges[:cap(f.edges)]
	first := len(f.edges)
	begun, ended := putBits(edges[first+first%2:], edges[first|1:], begins, ends, at)
	f.dst, f.edges = f.dst[:int(at)+n], f.edges[:first+begun+ended]
	// If the last word is still open and is a code point that is a word of its own, it ends here.
	// Any other open word may continue.
	open := f.inWord + uint64(begun) - uint64(ended)
	if f.inWord = word >> uint(n-1) & 1; open != f.inWord {
		f.edges = append(f.edges, at+int32(n))
	}
}

// putBits stores the position of each bit set in begins, plus at, in every second element of
// beginTo, and does the same with ends and endTo. It returns the number of positions stored in each
// slice.
func putBits(beginTo, endTo []int32, begins, ends mask, at int32) (begun, ended int) {
	for ; begins != 0; begins &= begins - 1 {
		beginTo[2*begun] = at + int32(bits.TrailingZeros64(begins))
		begun++
	}
	for ; ends != 0; ends &= ends - 1 {
		endTo[2*ended] = at + int32(bits.TrailingZeros64(ends))
		ended++
	}
	return begun, ended
}
