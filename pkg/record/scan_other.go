//go:build !amd64

package record

func skipPlain(_ []byte, i int) int { return i }
