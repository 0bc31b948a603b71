package record

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// randomFrames returns a zstd stream of frames with and without sizes and checksums, empty frames
// and skippable frames. Often, bytes of the stream are changed, left out or added.
func randomFrames(t testing.TB, r *rand.Rand) []byte {
	var all []byte
	for range r.IntN(5) {
		text := bytes.Repeat([]byte("a line of some text\n"), r.IntN(40)*r.IntN(40))
		for i := range len(text) / 7 {
			text[i*7] = byte(r.IntN(256))
		}
		var b bytes.Buffer
		z, err := zstd.NewWriter(&b, zstd.WithEncoderCRC(r.IntN(3) > 0), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<(10+r.IntN(12))), zstd.WithZeroFrames(true))
		if err != nil {
			t.Fatal(err)
		}
		switch r.IntN(4) {
		case 0: // a frame without its size
			z.Write(text)
			z.Flush()
			z.Close()
			all = append(all, b.Bytes()...)
		case 1:
			all = append(append(all, 0x50+byte(r.IntN(16)), 0x2a, 0x4d, 0x18, byte(r.IntN(9)), 0, 0, 0), "skipped ."[:r.IntN(9)]...)
			fallthrough
		default:
			all = z.EncodeAll(text, all)
		}
	}
	if len(all) > 0 {
		at := r.IntN(len(all))
		switch r.IntN(5) {
		case 0:
			all[at] ^= 1 << r.IntN(8)
		case 1:
			all = all[:at]
		case 2:
			all = append(all, "xyz"[:1+r.IntN(3)]...)
		}
	}
	return all
}

// TestFrames compares a frameReader with a zstd.Decoder, which decodes one frame after the other:
// the bytes, and the errors in whole and in damaged streams.
func TestFrames(t *testing.T) {
	kinds := map[bool]int{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		stream := randomFrames(t, r)
		z, err := zstd.NewReader(bytes.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		want, wantErr := io.ReadAll(z)
		z.Close()
		f, err := newFrameReader(bufio.NewReader(bytes.NewReader(stream)), r.IntN(4))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		f.Close()
		kinds[err == nil]++
		half, _ := newFrameReader(bufio.NewReader(bytes.NewReader(stream)), 3)
		half.Read(make([]byte, 1))
		half.Close() // must not wait for the rest of the stream to be read
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() || err == nil && !bytes.Equal(got, want) {
			t.Errorf("seed %d: %d bytes and %v, want %d and %v", seed, len(got), err, len(want), wantErr)
		}
	}
	if kinds[true] < 60 || kinds[false] < 60 {
		t.Errorf("streams with and without an error: %v", kinds)
	}
}
