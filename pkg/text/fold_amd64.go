//go:build !purego

package text

import "golang.org/x/sys/cpu"

// fast reports whether the processor can run the assembly.
var fast = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// foldASCII folds n bytes from src to dst, in blocks of 64, up to a last block
// that is not whole, or to the first byte that is not ASCII; dst begins at the
// position at of the text. It returns how many it did, how many edges it wrote,
// of which there may be one a byte and seven more, and whether the last byte is
// in a word.
//
//go:noescape
func foldASCII(dst *byte, edges *int32, src *byte, n int, at int32, inWord uint64) (done, edged int, last uint64)

// blocks folds ASCII that the text begins with, and returns how many bytes that
// are: all that come before another byte, or but for fewer than 64 at the end.
func (f *folder) blocks(text []byte) int {
	if !fast || len(text) < blockBytes {
		return f.plainBlocks(text)
	}
	at, begin := len(f.dst), len(f.edges)
	dst, edges := f.dst[at:cap(f.dst)], f.edges[begin:cap(f.edges)]
	n := min(len(text), len(dst), len(edges)-blockBytes)
	done, edged, last := foldASCII(&dst[0], &edges[0], &text[0], n, int32(at), f.inWord)
	f.dst, f.edges, f.inWord = f.dst[:at+done], f.edges[:begin+edged], last
	return done
}

// scanBlock writes 64 bytes to out with ASCII in lower case, and says what they
// are.
//
//go:noescape
func scanBlock(out, in *[blockBytes]byte, k *kinds)

func scan(out, in *[blockBytes]byte, k *kinds) {
	if fast {
		scanBlock(out, in, k)
	} else {
		plainScan(out, in, k)
	}
}
