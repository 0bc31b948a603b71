//go:build !purego

package record

import "golang.org/x/sys/cpu"

// plainBlocks returns the position of the first quote, backslash or control
// character of n bytes; without any, one from which fewer than 32 are left.
//
//go:noescape
func plainBlocks(p *byte, n int) int

// skipPlain returns a position up to which nothing ends a plain run, by blocks
// of 32 bytes.
func skipPlain(data []byte, i int) int {
	if !cpu.X86.HasAVX2 || len(data)-i < 32 {
		return i
	}
	return i + plainBlocks(&data[i], len(data)-i)
}
