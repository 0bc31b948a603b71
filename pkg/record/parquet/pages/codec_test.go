package pages

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

var codecs = []format.CompressionCodec{format.Snappy, format.Gzip, format.Brotli, format.Zstd, format.Lz4Raw}

// texts returns some texts that compress well, some that compress badly, and some that do not
// compress.
func texts() [][]byte {
	noise := make([]byte, 70000)
	for i := range noise {
		noise[i] = byte(rand.New(rand.NewPCG(3, uint64(i))).Uint32())
	}
	return [][]byte{[]byte("x"), []byte(strings.Repeat("a text that repeats, ", 5000)), make([]byte, 1<<20), noise, noise[:300]}
}

func TestCodecs(t *testing.T) {
	for _, codec := range codecs {
		for _, text := range texts() {
			b, err := pq.LookupCompressionCodec(codec).Encode(nil, text)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]byte, len(text))
			if err := inflate(got, b, codec); err != nil || !bytes.Equal(got, text) {
				t.Errorf("%s, %d bytes: %v", codec, len(text), err)
			}
			for _, wrong := range []int{len(text) - 1, len(text) + 1} {
				if inflate(make([]byte, wrong), b, codec) == nil {
					t.Errorf("%s: %d bytes, not %d: no error", codec, wrong, len(text))
				}
			}
			if n, err := inflatedSize(b, codec); n != int64(len(text)) || err != nil {
				t.Errorf("%s: a size of %d, not %d: %v", codec, n, len(text), err)
			}
			// lz4 and brotli may decompress data that lacks its last byte.
			if inflate(got, b[:len(b)-1], codec) == nil && codec != format.Lz4Raw && codec != format.Brotli {
				t.Errorf("%s: cut, and no error", codec)
			}
		}
	}
	for _, codec := range []format.CompressionCodec{format.Lz4, format.LZO, 99} {
		if err := inflate(make([]byte, 3), []byte("abc"), codec); err == nil || !strings.Contains(err.Error(), "unsupported compression") {
			t.Errorf("%s: %v", codec, err)
		}
	}
}

// TestSizeClaims checks that an impossible decompressed size is rejected before memory is
// allocated.
func TestSizeClaims(t *testing.T) {
	for _, codec := range codecs {
		b, err := pq.LookupCompressionCodec(codec).Encode(nil, make([]byte, 1<<22))
		if err != nil {
			t.Fatal(err)
		}
		for plain, right := range map[int64]bool{1 << 22: true, 1<<22 - 1: false, 1<<31 - 1: false} {
			p := page{kind: format.DataPage, body: int64(len(b)), plain: plain}
			if err := p.checkSize(b, codec); (err == nil) != right && plain > surelyTimes*p.body {
				t.Errorf("%s: %d bytes: %v", codec, plain, err)
			}
		}
	}
}

func FuzzInflate(f *testing.F) {
	for i, codec := range codecs {
		b, err := pq.LookupCompressionCodec(codec).Encode(nil, []byte("some text, some text"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), b, uint16(20))
	}
	f.Fuzz(func(t *testing.T, which uint8, b []byte, n uint16) {
		codec := codecs[int(which)%len(codecs)]
		err := inflate(make([]byte, n), b, codec)
		size, sizeErr := inflatedSize(b, codec)
		if err == nil && n > 0 && (sizeErr != nil || size != int64(n)) {
			t.Errorf("%s: %d bytes, but a size of %d, %v", codec, n, size, sizeErr)
		}
	})
}
