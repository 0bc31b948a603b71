package text

import (
	"encoding/binary"
	"math/bits"
)

// A mask has one bit for each of 64 bytes.
type mask = uint64

// below returns the mask of the first n bytes.
func below(n int) mask { return ^mask(0) >> uint(blockBytes-n) }

// kinds classifies the bytes of a block.
type kinds struct {
	word  mask // ASCII word bytes
	high  mask // not ASCII
	cont  mask // the second or a later byte of a code point
	three mask // the first byte of three or four
	four  mask // the first byte of four
}

// lead returns the mask of the bytes that begin a code point above ASCII.
func (k *kinds) lead() mask { return k.high &^ k.cont }

// plainScan is scan in Go, eight bytes at a time: it copies 64 bytes to out with ASCII in lower
// case, and classifies them.
func plainScan(out, in *[blockBytes]byte, k *kinds) {
	*k = kinds{}
	for i := 0; i < blockBytes; i += 8 {
		x := binary.LittleEndian.Uint64(in[i:])
		high := x & highs
		low := x &^ highs
		upper := between(low, 'A', 'Z') &^ high
		low |= upper >> 2
		word := (between(low, 'a', 'z') | between(low, '0', '9') | between(low, '_', '_')) &^ high
		binary.LittleEndian.PutUint64(out[i:], low|high)
		k.word |= gather(word) << uint(i)
		if high != 0 {
			three := high & (x << 1) & (x << 2)
			k.high |= gather(high) << uint(i)
			k.cont |= gather(high&^(x<<1)) << uint(i)
			k.three |= gather(three) << uint(i)
			k.four |= gather(three&(x<<3)) << uint(i)
		}
	}
}

// gather packs the high bits of eight bytes into one byte.
func gather(x uint64) mask { return x >> 7 * 0x0102040810204080 >> 56 }

// startBytes is the part of a block in which a code point may begin so that all of it is in the
// block.
const startBytes = blockBytes - 3

// completeBytes returns how many of the first n bytes form complete code points, up to the first
// invalid one.
func (k *kinds) completeBytes(n int) int {
	starts := below(min(n, startBytes))
	due := (k.lead()&starts)<<1 | (k.three&starts)<<2 | (k.four&starts)<<3
	all := starts | due
	wrong := (due ^ k.cont) & all
	if wrong == 0 {
		return bits.Len64(all)
	}
	at := bits.TrailingZeros64(wrong)
	if due>>uint(at)&1 == 0 {
		return at
	}
	return bits.Len64(below(at)&^k.cont) - 1
}
