package zst

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func TestEncoder(t *testing.T) {
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, 100000)
	for i := range noise {
		noise[i] = byte(rand.New(rand.NewPCG(1, uint64(i))).Uint32())
	}
	for _, level := range []int{1, 3, 9, 19} {
		encode := NewEncoder(level)
		for _, src := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte("some text, "), 40000), noise} {
			b := encode([]byte("before"), src)
			if !bytes.HasPrefix(b, []byte("before")) || len(b) == len("before") {
				t.Fatalf("%d bytes at level %d: %q", len(src), level, b)
			}
			if got, err := d.DecodeAll(b[len("before"):], nil); err != nil || !bytes.Equal(got, src) {
				t.Errorf("%d bytes at level %d: %d, %v", len(src), level, len(got), err)
			}
		}
	}
}

// BenchmarkEncode compresses the file that the environment variable DATA names, by default a file
// of the repository.
func BenchmarkEncode(b *testing.B) {
	name := os.Getenv("DATA")
	if name == "" {
		name = "../../../testdata/docs/articles.jsonl"
	}
	all, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	encode, n := NewEncoder(1), 0
	var dst []byte
	b.SetBytes(int64(len(all)))
	for b.Loop() {
		n = 0
		for rest := all; len(rest) > 0; {
			k := min(len(rest), 1<<20)
			dst = encode(dst[:0], rest[:k])
			n, rest = n+len(dst), rest[k:]
		}
	}
	b.ReportMetric(float64(len(all))/float64(n), "times-smaller")
}
