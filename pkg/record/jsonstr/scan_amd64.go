//go:build !purego

package jsonstr

import "golang.org/x/sys/cpu"

// passBlocks returns a position of n bytes that begin inside of a string: that of the
// first quote, control character or backslash that begins no escape of one letter; or
// one behind the whole escapes of all before it, from which fewer than 33 bytes are
// left.
//
//go:noescape
func passBlocks(p *byte, n int, short *[256]byte) int

// fillBlocks copies n bytes to dst, which has room for as many, with escapes of one
// letter replaced. It stops at another one, or where fewer than 66 bytes are left, and
// returns how many bytes it wrote and read.
//
//go:noescape
func fillBlocks(dst, src *byte, n int, short *[256]byte) (wrote, read int)

// The fewest bytes of which a call does any.
const (
	toPass = 33
	toFill = 66
)

func skipBlocks(data []byte, i int) int {
	if !cpu.X86.HasAVX2 || len(data)-i < toPass {
		return i
	}
	return i + passBlocks(&data[i], len(data)-i, &short)
}

func copyBlocks(dst, s []byte) (_, rest []byte) {
	if !cpu.X86.HasAVX2 || len(s) < toFill || cap(dst)-len(dst) < len(s) {
		return dst, s
	}
	n := len(dst)
	wrote, read := fillBlocks(&dst[:n+1][n], &s[0], len(s), &short)
	return dst[:n+wrote], s[read:]
}
