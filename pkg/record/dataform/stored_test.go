package dataform

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// TestStored checks that stored bytes and the stream after them are read as one stream, and
// that the length of the stored form depends only on the number of bytes.
func TestStored(t *testing.T) {
	open := map[Compression]func(io.Reader) (io.Reader, error){
		Plain: func(r io.Reader) (io.Reader, error) { return r, nil },
		Gzip:  func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		Zstd:  func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	}
	for c, decode := range open {
		p := Packing{Compression: c}
		for _, text := range []string{"a\n", strings.Repeat("ab", 60) + "\n", strings.Repeat("\xff", 255)} {
			stored, err := p.Stored([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			other, _ := p.Stored([]byte(strings.Repeat("x", len(text))))
			if len(other) != len(stored) {
				t.Errorf("%v: %d bytes, and %d", c, len(stored), len(other))
			}
			out := bytes.NewBuffer(stored)
			w, err := p.NewWriter(out)
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(w, "behind\n")
			w.Close()
			r, err := decode(out)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); string(got) != text+"behind\n" || err != nil {
				t.Errorf("%v: %q, %v", c, got, err)
			}
		}
	}
	if _, err := (Packing{Compression: Zstd}).Stored(make([]byte, 256)); err == nil {
		t.Error("256 bytes in a frame of 255")
	}
}
