package zst

import (
	"bytes"
	"fmt"
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

// TestDamage checks that no prefix of a frame and no frame with one flipped bit is read as other
// bytes.
func TestDamage(t *testing.T) {
	var src []byte
	for n := range 200 {
		src = fmt.Appendf(src, "line %d of a text, and %x\n", n, n*n)
	}
	frame := NewEncoder(1)(nil, src)
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for n := 1; n < len(frame); n++ {
		if got, err := d.DecodeAll(frame[:n], nil); err == nil {
			t.Errorf("%d of %d bytes: no error, %d bytes", n, len(frame), len(got))
		}
	}
	for bit := range len(frame) * 8 {
		flipped := bytes.Clone(frame)
		flipped[bit/8] ^= 1 << (bit % 8)
		if got, err := d.DecodeAll(flipped, nil); err == nil && !bytes.Equal(got, src) {
			t.Errorf("bit %d: no error, %d bytes", bit, len(got))
		}
	}
}

// TestSize checks that a frame states its size, so that readers can decode several frames at a
// time.
func TestSize(t *testing.T) {
	for _, n := range []int{256, 300, 1 << 17, 1<<22 + 1} {
		var h zstd.Header
		if err := h.Decode(NewEncoder(1)(nil, make([]byte, n))); err != nil || !h.HasFCS || h.FrameContentSize != uint64(n) {
			t.Errorf("%d bytes: %v: %+v", n, err, h)
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
