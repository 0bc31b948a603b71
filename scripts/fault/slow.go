//go:build linux

package main

import (
	"io"
	"math/rand/v2"
)

// A slowReader gives data in pieces of any size, one byte among them: what
// reads from a pipe meets short reads.
type slowReader struct {
	data []byte
	rand *rand.Rand
}

func slow(data []byte) io.Reader { return &slowReader{data, rand.New(rand.NewPCG(1, 2))} }

func (s *slowReader) Read(p []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1+s.rand.IntN(1<<s.rand.IntN(16)))], s.data)
	s.data = s.data[n:]
	return n, nil
}
