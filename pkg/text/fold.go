package text

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// fold normalizes the text into s.folded, and stores the start and end of each word in s.edges.
func (s *Shingler) fold(text []byte) {
	if s.opt.Normalize == Aggressive {
		if d := decompositions.decompose(s.decomposed, text); len(text) > 0 && &d[0] != &text[0] {
			s.decomposed, text = d, d
		}
	}
	if need := len(text) + min(len(text), foldBytes) + 3*blockBytes; cap(s.folded) < need {
		s.folded = make([]byte, 0, need+need/4)
	}
	f := folder{dst: s.folded[:0], edges: s.edges[:0]}
	for len(text) > 0 {
		part := text[:wholeRunes(text, foldBytes)]
		f.grow(len(part))
		if s.opt.Normalize >= Balanced {
			f.foldText(part)
		} else {
			f.foldRunes(part, len(part), classesOf(s.opt.Normalize))
		}
		text = text[len(part):]
	}
	f.endWord()
	s.folded, s.edges = append(f.dst, padding[:]...), f.edges
}

// foldBytes is the number of bytes of text for which fold makes room at a time.
const foldBytes = 1 << 16

// wholeRunes returns the first position from n to n+3 at which the text can be cut without
// splitting a code point.
func wholeRunes(text []byte, n int) int {
	for end := n + utf8.UTFMax - 1; n < min(end, len(text)) && !utf8.RuneStart(text[n]); n++ {
	}
	return min(n, len(text))
}

// grow makes room for folding n more bytes of text. It allows for characters whose lower case is
// longer than their upper case, and for characters that are words of their own, which have two
// edges each.
func (f *folder) grow(n int) {
	f.dst = slices.Grow(f.dst, 2*n+3*blockBytes)
	f.edges = slices.Grow(f.edges, n+3*blockBytes)
}

const blockBytes = 64

// A folder writes folded bytes to dst, and the positions where words begin and end to edges.
type folder struct {
	dst    []byte
	edges  []int32
	inWord uint64 // 1 if the last byte of dst belongs to a word that may continue, otherwise 0
}

// foldText folds a text under Balanced or Aggressive. It folds runs of ASCII in blocks of 64 bytes,
// and other text in blocks of complete code points.
func (f *folder) foldText(text []byte) {
	for len(text) > 0 {
		text = text[f.foldMixedBlocks(text):]
		n, ascii := f.foldMixedBlock(text)
		if text = text[n:]; ascii && len(text) >= blockBytes {
			text = text[f.foldBlocks(text):]
		}
	}
}

// plainFoldBlocks is foldBlocks in Go. It processes eight bytes at a time, or one byte at a time in
// a block that is not all ASCII.
func (f *folder) plainFoldBlocks(text []byte) (n int) {
	for len(text)-n >= blockBytes && f.foldBlock((*[blockBytes]byte)(text[n:])) {
		n += blockBytes
	}
	if len(text)-n < blockBytes {
		return n
	}
	for ascii := &classesOf(Balanced).ascii; text[n] < utf8.RuneSelf; n++ {
		f.putByte(ascii[text[n]])
	}
	return n
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// between returns a word in which the high bit of each byte is set if that byte of x is in [lo,
// hi]. All bytes of x must be below 128.
func between(x uint64, lo, hi byte) uint64 {
	return (x + ones*uint64(128-lo)) &^ (x + ones*uint64(127-hi)) & highs
}

// foldBlock folds 64 bytes. It returns false if not all of them are ASCII.
func (f *folder) foldBlock(in *[blockBytes]byte) bool {
	at := len(f.dst)
	out := (*[blockBytes]byte)(f.dst[at : at+blockBytes])
	var mask uint64
	for i := 0; i < blockBytes; i += 8 {
		x := binary.LittleEndian.Uint64(in[i:])
		if x&highs != 0 {
			return false
		}
		upper := between(x, 'A', 'Z')
		x |= upper >> 2
		word := between(x, 'a', 'z') | between(x, '0', '9') | between(x, '_', '_')
		binary.LittleEndian.PutUint64(out[i:], x)
		// Gather the eight high bits in one byte.
		mask |= (word >> 7 * 0x0102040810204080 >> 56) << uint(i)
	}
	f.dst = f.dst[:at+blockBytes]

	// The positions at which the mask changes are edges.
	changes := mask ^ (mask<<1 | f.inWord)
	f.inWord = mask >> 63
	begin := len(f.edges)
	end := begin + bits.OnesCount64(changes)
	// Write eight positions per iteration, so that the number of iterations is easy to predict.
	for n := begin; n < end; n += 8 {
		e := (*[8]int32)(f.edges[n : n+8])
		changes = putFour((*[4]int32)(e[:4]), changes, int32(at))
		changes = putFour((*[4]int32)(e[4:]), changes, int32(at))
	}
	f.edges = f.edges[:end]
	return true
}

// putFour adds an offset to the positions of the four lowest bits set in a mask, and stores the
// sums in e. It returns the mask with these four bits cleared.
func putFour(e *[4]int32, bit uint64, at int32) uint64 {
	e[0] = at + int32(bits.TrailingZeros64(bit))
	bit &= bit - 1
	e[1] = at + int32(bits.TrailingZeros64(bit))
	bit &= bit - 1
	e[2] = at + int32(bits.TrailingZeros64(bit))
	bit &= bit - 1
	e[3] = at + int32(bits.TrailingZeros64(bit))
	return bit & (bit - 1)
}

// foldRunes folds, one at a time, the code points that begin before position n, and returns the
// position after the last of them. An invalid byte is a separator under Balanced; otherwise, it is
// a letter.
func (f *folder) foldRunes(text []byte, n int, c *classes) (i int) {
	for i < n {
		if b := text[i]; b < utf8.RuneSelf {
			f.putByte(c.ascii[b])
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			f.putByte(c.invalid(text[i]))
		} else {
			f.putRune(c.folded(r))
		}
		i += size
	}
	return i
}

// putByte appends one byte of a word, or a separator if b is 0.
func (f *folder) putByte(b byte) {
	word := uint64(0)
	if b != 0 {
		word = 1
	}
	if word != f.inWord {
		f.edges = append(f.edges, int32(len(f.dst)))
		f.inWord = word
	}
	f.dst = append(f.dst, b)
}

// putRune appends a folded non-ASCII code point of class k.
func (f *folder) putRune(r rune, k class) {
	if k == separator {
		f.putByte(0)
		return
	}
	if f.inWord == 0 || k&alone != 0 {
		f.endWord()
		f.edges = append(f.edges, int32(len(f.dst)))
		f.inWord = 1
	}
	f.dst = utf8.AppendRune(f.dst, r)
	if k&alone != 0 {
		f.endWord()
	}
}

// endWord ends the current word, if there is one.
func (f *folder) endWord() {
	if f.inWord == 1 {
		f.edges = append(f.edges, int32(len(f.dst)))
		f.inWord = 0
	}
}

// padding follows the folded text, because hashWord reads beyond the end of a word.
var padding [16]byte
