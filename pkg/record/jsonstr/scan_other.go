//go:build !amd64 || purego

package jsonstr

func skipBlocks(_ []byte, i int) int { return i }

func copyBlocks(dst, s []byte) (_, rest []byte) { return dst, s }
