package text

import (
	"encoding/binary"
	"math/bits"
)

// A mask has one bit for each byte of a block. The lowest bit belongs to the first byte.
type mask = uint64

// below returns the mask with the bits of the first n bytes set; n must be from 1 to 64.
func below(n int) mask { return ^mask(0) >> uint(blockBytes-n) }

// kinds holds, for each kind of byte, the mask of the bytes of that kind in a block.
type kinds struct {
	word  mask // ASCII letters, digits and underscores
	high  mask // bytes of code points above ASCII
	cont  mask // continuation bytes
	three mask // first bytes of three-byte and four-byte code points
	four  mask // first bytes of four-byte code points
}

// lead returns the mask of the first bytes of code points above ASCII.
func (k *kinds) lead() mask { return k.high &^ k.cont }

// plainScan is scan in Go: it copies a block to out, with ASCII letters in lower case, and fills k.
// It processes eight bytes at a time.
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

// startBytes is the number of positions in a block at which a code point of four bytes can begin
// and still end in the block.
const startBytes = blockBytes - 3

// completeBytes returns the number of leading bytes, among the first n bytes of the block, that
// form complete and valid code points.
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
