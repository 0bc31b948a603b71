//go:build !purego

package jsonstr

import "golang.org/x/sys/cpu"

// passBlocks searches the n bytes at p, which start inside a string, and returns the offset of the
// first quote, control character, or backslash that does not start a one-letter escape. If it finds
// none, it returns an offset that is not inside an escape, with fewer than 33 bytes left to search.
//
//go:noescape
func passBlocks(p *byte, n int, short *[256]byte) int

// fillBlocks copies the n bytes at src to dst, which has room for n, and replaces one-letter
// escapes. It stops at any other escape, or when fewer than 66 bytes are left. It returns the
// numbers of bytes written and read.
//
//go:noescape
func fillBlocks(dst, src *byte, n int, short *[256]byte) (wrote, read int)

// passBlocks needs at least toPass bytes, and fillBlocks at least toFill bytes. With fewer bytes,
// they process nothing.
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
