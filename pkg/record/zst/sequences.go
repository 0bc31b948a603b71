package zst

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// The codes of a sequence and their tables, in the order of the format. A code stands for a range
// of numbers; further bits say which of them it is.
const (
	ofLiterals = iota
	ofOffset
	ofMatch
)

// By code, the smallest length, and the number of further bits; by length, the code. For an offset,
// the code is the number of further bits.
var (
	literalBases = [36]uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40, 48, 64, 128, 256, 512, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16}
	matchBases   = [53]uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 34, 36, 38, 40, 44, 48, 56, 64, 80, 96, 128, 256, 512, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16}
	literalExtra = extraOf(literalBases[:])
	matchExtra   = extraOf(matchBases[:])
	literalCodes = codesUpTo(64, literalBases[:])
	matchCodes   = codesUpTo(128, matchBases[:])
)

func codesUpTo(n uint32, bases []uint32) []uint8 {
	codes := make([]uint8, n)
	for i := range codes {
		for c, base := range bases {
			if base <= uint32(i) {
				codes[i] = uint8(c)
			}
		}
	}
	return codes
}

func extraOf(bases []uint32) (extra [64]uint8) {
	for c := range bases {
		extra[c] = 16 // of the last one
		if c+1 < len(bases) {
			extra[c] = uint8(bits.Len32(bases[c+1]-bases[c]) - 1)
		}
	}
	return extra
}

// setCodes sets the codes of the sequences, and counts them.
func (f *fast) setCodes() {
	f.counts = [3][64]uint32{}
	for i := range f.sequences {
		q := &f.sequences[i]
		if q.literals < 64 {
			q.codes[ofLiterals] = literalCodes[q.literals]
		} else {
			q.codes[ofLiterals] = uint8(bits.Len32(q.literals) + 18)
		}
		if q.match < 128 {
			q.codes[ofMatch] = matchCodes[q.match]
		} else {
			q.codes[ofMatch] = uint8(bits.Len32(q.match) + 35)
		}
		q.codes[ofOffset] = uint8(bits.Len32(q.offset) - 1)
		f.counts[ofLiterals][q.codes[ofLiterals]&63]++
		f.counts[ofOffset][q.codes[ofOffset]&63]++
		f.counts[ofMatch][q.codes[ofMatch]&63]++
	}
}

// appendSequences appends the section of the sequences of a block.
func (f *fast) appendSequences(dst []byte) []byte {
	f.setCodes()
	switch n := len(f.sequences); {
	case n < 128:
		dst = append(dst, byte(n))
	case n < 0x7f00:
		dst = append(dst, byte(n>>8+128), byte(n))
	default:
		dst = append(dst, 255, byte(n-0x7f00), byte((n-0x7f00)>>8))
	}
	at := len(dst)
	dst = append(dst, 0)
	for i := range f.tables {
		var kind byte
		dst, kind = f.tables[i].build(dst, &f.counts[i], len(f.sequences), i)
		dst[at] |= kind << (6 - 2*i)
	}
	return f.appendBits(dst)
}

// bytesPerSequence is more than the number of bytes that any sequence needs.
const bytesPerSequence = 12

// appendBits appends the sequences, the last one first.
func (f *fast) appendBits(dst []byte) []byte {
	all, at := f.sequences, len(dst)
	b := slices.Grow(dst, bytesPerSequence*len(all)+16)
	b = b[:cap(b)]
	ll, of, ml := &f.tables[ofLiterals], &f.tables[ofOffset], &f.tables[ofMatch]
	last := &all[len(all)-1].codes
	stateL, stateO, stateM := ll.first(last[ofLiterals]), of.first(last[ofOffset]), ml.first(last[ofMatch])
	var w bitBuffer
	for i := len(all) - 1; i >= 0; i-- {
		q := &all[i]
		l, o, m := q.codes[ofLiterals]&63, q.codes[ofOffset]&63, q.codes[ofMatch]&63
		if i < len(all)-1 {
			w, stateO = of.next(w, stateO, o)
			w, stateM = ml.next(w, stateM, m)
			w, stateL = ll.next(w, stateL, l)
		}
		if int(w.n)+int(literalExtra[l])+int(matchExtra[m])+int(o) > 63 {
			binary.LittleEndian.PutUint64(b[at:], w.bits)
			w, at = w.rest(), at+int(w.n>>3)
		}
		w = w.add(q.literals, uint32(literalExtra[l]))
		w = w.add(q.match, uint32(matchExtra[m]))
		w = w.add(q.offset, uint32(o))
		binary.LittleEndian.PutUint64(b[at:], w.bits)
		w, at = w.rest(), at+int(w.n>>3)
	}
	w = w.add(stateM, ml.bits).add(stateO, of.bits).add(stateL, ll.bits).add(1, 1)
	binary.LittleEndian.PutUint64(b[at:], w.bits)
	return b[:at+int(w.n+7)>>3]
}

// A bitBuffer holds fewer than 64 bits. The first one is the lowest.
type bitBuffer struct {
	bits uint64
	n    uint32 // number of bits
}

// add adds the lowest n bits of v.
func (w bitBuffer) add(v, n uint32) bitBuffer {
	return bitBuffer{w.bits | uint64(v&(1<<(n&31)-1))<<(w.n&63), w.n + n}
}

// rest returns the bits that are left when all whole bytes are written.
func (w bitBuffer) rest() bitBuffer { return bitBuffer{w.bits >> (w.n &^ 7 & 63), w.n & 7} }
