package zst

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/huff0"
)

// The lowest level is written here, because it takes most of the time of a run with compressed
// output. The format is that of RFC 8878. A frame has its size in its header and a checksum at its
// end, and consists of blocks of at most maxBlock bytes, which are encoded one after the other: the
// matches are found, then the literals between them are encoded with a Huffman code, and the
// lengths and offsets by finite state entropy.

const (
	maxBlock  = 128 << 10
	maxWindow = 1 << windowBits // maximum distance of a match
	maxFrame  = 1 << 30

	windowBits = 22
)

// The types of a block, of literals and of a table.
const (
	raw        = 0 // of a table: predefined
	repeated   = 1 // one byte, or one symbol
	compressed = 2
	treeless   = 3 // of literals: encoded with the code of the last literals that had one
)

// A fast encodes frames. Only one goroutine may use it at a time.
type fast struct {
	finder
	huffman huff0.Scratch
	counts  [3][64]uint32 // of the codes of the sequences of a block
	tables  [3]table
}

// encode appends src, of at most maxFrame bytes, to dst as one frame.
func (f *fast) encode(dst, src []byte) []byte {
	dst = appendHeader(dst, len(src))
	if len(src) == 0 {
		return append(dst, 1, 0, 0) // the last block, of no bytes
	}
	f.begin(src)
	f.huffman.Reuse = huff0.ReusePolicyNone
	for start := 0; start < len(src); start += maxBlock {
		dst = f.appendBlock(dst, start, min(start+maxBlock, len(src)))
	}
	f.end()
	return binary.LittleEndian.AppendUint32(dst, uint32(xxhash.Sum64(src)))
}

// appendHeader appends the header of a frame of n bytes. If the window is the whole frame, it need
// not be stated. A frame without bytes has no checksum.
func appendHeader(dst []byte, n int) []byte {
	const checksum, single = 1 << 2, 1 << 5
	dst = append(dst, 0x28, 0xb5, 0x2f, 0xfd)
	switch {
	case n == 0:
		return append(dst, single, 0)
	case n < 256:
		return append(dst, checksum|single, byte(n))
	case n < 256+1<<16:
		return binary.LittleEndian.AppendUint16(append(dst, checksum|single|1<<6), uint16(n-256))
	case n <= maxWindow:
		dst = append(dst, checksum|single|2<<6)
	default:
		dst = append(dst, checksum|2<<6, (windowBits-10)<<3)
	}
	return binary.LittleEndian.AppendUint32(dst, uint32(n))
}

// appendBlock appends the block src[start:end]. If it does not become smaller, it is stored, and
// the reader then knows neither its offsets nor its code.
func (f *fast) appendBlock(dst []byte, start, end int) []byte {
	before := f.recent
	f.find(start, end)
	last, n, at := 0, end-start, len(dst)
	if end == len(f.src) {
		last = 1
	}
	dst = append(dst, 0, 0, 0)
	kind := compressed
	if dst = f.appendLiterals(dst); len(f.sequences) > 0 {
		dst = f.appendSequences(dst)
	} else {
		dst = append(dst, 0)
	}
	size := len(dst) - at - 3
	if size >= n {
		f.recent, f.huffman.Reuse = before, huff0.ReusePolicyNone
		dst = append(dst[:at+3], f.src[start:end]...)
		kind, size = raw, n
	}
	header := uint32(last | kind<<1 | size<<3)
	dst[at], dst[at+1], dst[at+2] = byte(header), byte(header>>8), byte(header>>16)
	return dst
}

// Literals that are fewer than leastLiterals are not compressed, and those that are fewer than
// leastStreams are compressed in one stream instead of four.
const (
	leastLiterals = 32
	leastStreams  = 256
)

// appendLiterals appends the section of the literals of a block.
func (f *fast) appendLiterals(dst []byte) []byte {
	all := f.literals
	var out []byte
	reused, single, err := false, len(all) < leastStreams, error(huff0.ErrIncompressible)
	switch {
	case len(all) < leastLiterals:
	case single:
		out, reused, err = huff0.Compress1X(all, &f.huffman)
	default:
		out, reused, err = huff0.Compress4X(all, &f.huffman)
	}
	switch {
	case err == huff0.ErrUseRLE:
		f.huffman.Reuse = huff0.ReusePolicyNone
		return append(appendSize(dst, repeated, len(all)), all[0])
	case err != nil || len(out)+5 >= len(all):
		f.huffman.Reuse = huff0.ReusePolicyNone
		return append(appendSize(dst, raw, len(all)), all...)
	}
	f.huffman.Reuse = huff0.ReusePolicyAllow
	kind := uint64(compressed)
	if reused {
		kind = treeless
	}
	return append(appendSizes(dst, kind, len(all), len(out), single), out...)
}

// appendSize appends the header of literals that are not compressed.
func appendSize(dst []byte, kind, n int) []byte {
	switch {
	case n < 1<<5:
		return append(dst, byte(kind|n<<3))
	case n < 1<<12:
		return binary.LittleEndian.AppendUint16(dst, uint16(kind|1<<2|n<<4))
	}
	h := kind | 3<<2 | n<<4
	return append(dst, byte(h), byte(h>>8), byte(h>>16))
}

// appendSizes appends the header of literals that are compressed from n to size bytes.
func appendSizes(dst []byte, kind uint64, n, size int, single bool) []byte {
	format, bits, bytes := uint64(3), 18, 5
	switch most := max(n, size); {
	case most < 1<<10:
		if format, bits, bytes = 1, 10, 3; single {
			format = 0
		}
	case most < 1<<14:
		format, bits, bytes = 2, 14, 4
	}
	h := kind | format<<2 | uint64(n)<<4 | uint64(size)<<(4+bits)
	return append(dst, binary.LittleEndian.AppendUint64(nil, h)[:bytes]...)
}
