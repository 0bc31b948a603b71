package seal

import (
	"bytes"
	"io"
	"testing"
)

// Lines of signatures, 350 bytes each: what a seal costs whoever writes and reads them.
func BenchmarkWriter(b *testing.B) {
	text := bytes.Repeat(append(bytes.Repeat([]byte("x"), 349), '\n'), 1<<10)
	b.SetBytes(int64(len(text)))
	w := NewWriter(io.Discard, Form{})
	for b.Loop() {
		w.Write(text)
	}
}
