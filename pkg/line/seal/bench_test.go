package seal

import (
	"bytes"
	"io"
	"testing"
)

// BenchmarkWriter measures the cost of a seal for lines of 350 bytes, the size of
// signatures.
func BenchmarkWriter(b *testing.B) {
	text := bytes.Repeat(append(bytes.Repeat([]byte("x"), 349), '\n'), 1<<10)
	b.SetBytes(int64(len(text)))
	w := NewWriter(io.Discard, Form{})
	for b.Loop() {
		w.Write(text)
	}
}
