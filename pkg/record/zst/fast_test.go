package zst

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// makers make n bytes that exercise the encoder in different ways.
var makers = map[string]func(r *rand.Rand, n int) []byte{
	"zeros": func(_ *rand.Rand, n int) []byte { return make([]byte, n) },
	"noise": func(r *rand.Rand, n int) []byte { return fill(n, func() byte { return byte(r.Uint32()) }) },
	"bits":  func(r *rand.Rand, n int) []byte { return fill(n, func() byte { return "ab"[r.IntN(2)] }) },
	"skew": func(r *rand.Rand, n int) []byte {
		return fill(n, func() byte { return byte(math.Exp(5.5 * r.Float64())) })
	},
	"words":  words,
	"copies": copies,
	// pieces of noise that are repeated beyond the window, and across blocks and words of noise
	"far": func(r *rand.Rand, n int) (b []byte) {
		piece := fill(maxBlock+77, func() byte { return byte(r.Uint32()) })
		for len(b) < n {
			b = append(append(b, piece[r.IntN(100):]...), make([]byte, r.IntN(maxBlock))...)
		}
		return b[:n]
	},
	// matches of eight bytes with a literal between them, so that a block has many sequences
	"many": func(r *rand.Rand, n int) (b []byte) {
		var all [64][8]byte
		for i := range all {
			copy(all[i][:], fill(8, func() byte { return byte(r.Uint32()) }))
		}
		for len(b) < n {
			b = append(b, all[r.IntN(len(all))][:4+r.IntN(5)]...)
		}
		return b[:n]
	},
}

func fill(n int, next func() byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = next()
	}
	return b
}

func words(r *rand.Rand, n int) (b []byte) {
	for len(b) < n {
		for range 1 + r.IntN(9) {
			b = append(b, 'a'+byte(r.IntN(26)*r.IntN(26)/26))
		}
		b = append(b, ' ')
	}
	return b[:n]
}

// copies makes noise, copies of what is before, and runs of a byte, of all lengths.
func copies(r *rand.Rand, n int) (b []byte) {
	length := func() int { return int(math.Exp(r.Float64() * 12)) }
	for len(b) < n {
		switch k := length(); r.IntN(3) {
		case 0:
			b = append(b, fill(k, func() byte { return byte(r.Uint32()) })...)
		case 1:
			for from := len(b) - min(len(b), length()); k > 0 && from < len(b); k-- {
				b, from = append(b, b[from]), from+1
			}
		default:
			b = append(b, bytes.Repeat([]byte{byte(k)}, k)...)
		}
	}
	return b[:n]
}

// checkFrame checks that a frame is read as src, and that it states its size.
func checkFrame(t *testing.T, what string, frame, src []byte) {
	t.Helper()
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if got, err := d.DecodeAll(frame, nil); err != nil || !bytes.Equal(got, src) {
		t.Fatalf("%s, %d bytes: %d bytes are read, %v", what, len(src), len(got), err)
	}
	var h zstd.Header
	if err := h.Decode(frame); err != nil || !h.HasFCS || h.FrameContentSize != uint64(len(src)) {
		t.Fatalf("%s, %d bytes: %v: %+v", what, len(src), err, h)
	}
}

// TestFast checks that frames of all kinds and sizes, made by one encoder in a random order, are
// read as the bytes that they were made of.
func TestFast(t *testing.T) {
	r, f := rand.New(rand.NewPCG(1, 2)), new(fast)
	sizes := []int{0, 1, 2, 7, 8, 9, 23, 24, 25, 31, 32, 33, 255, 256, 257, 1023, 1024, 65791, 65792, maxBlock - 1, maxBlock, maxBlock + 1, 2*maxBlock + 5}
	for range 3 {
		for name, make := range makers {
			for _, n := range append(sizes, r.IntN(3000), r.IntN(300000)) {
				src := make(r, n)
				frame := f.encode(nil, src)
				checkFrame(t, name, frame, src)
				if most := n + n>>14 + 20; len(frame) > most {
					t.Errorf("%s: %d bytes become %d", name, n, len(frame))
				}
			}
		}
	}
	for _, n := range []int{maxWindow, maxWindow + 1, 2*maxWindow + 12345} {
		src := makers["far"](r, n)
		frame := f.encode(nil, src)
		checkFrame(t, "far", frame, src)
	}
}

// TestBlock checks blocks of sequences that no finder makes: with the longest lengths, with as many
// as possible, and with literals that are all equal.
func TestBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	noise := fill(maxBlock, func() byte { return byte(r.Uint32()) })
	for name, c := range map[string]struct {
		literals  []byte
		sequences []sequence
	}{
		"long":   {noise[:50000], []sequence{{literals: 40000, match: 70000, offset: 40000 + 3}, {literals: 2, match: 1, offset: 70000 + 3}}},
		"many":   {noise[:300], slices.Repeat([]sequence{{match: 1, offset: 4 + 3}}, 0x7f00+99)},
		"equal":  {bytes.Repeat([]byte("a"), 1000), []sequence{{literals: 500, match: 7, offset: 100 + 3}, {literals: 100, match: 9, offset: 1}}},
		"either": {noise[:9000], slices.Repeat([]sequence{{literals: 60, match: 200, offset: 50 + 3}, {literals: 1, match: 0, offset: 20 + 3}}, 100)},
	} {
		if name == "many" {
			c.sequences[0].literals = 8
		}
		f, src, rest := new(fast), []byte(nil), c.literals
		for _, q := range c.sequences {
			src, rest = append(src, rest[:q.literals]...), rest[q.literals:]
			back := 100 // the offset of the case "equal", which is repeated
			if q.offset > 1 {
				back = int(q.offset - 3)
			}
			for range q.match + formatLeast {
				src = append(src, src[len(src)-back])
			}
		}
		src = append(src, rest...)
		f.literals, f.sequences = c.literals, c.sequences
		frame := appendHeader(nil, len(src))
		at := len(frame)
		frame = f.appendSequences(f.appendLiterals(append(frame, 0, 0, 0)))
		head := 1 | compressed<<1 | (len(frame)-at-3)<<3
		frame[at], frame[at+1], frame[at+2] = byte(head), byte(head>>8), byte(head>>16)
		checkFrame(t, name, binary.LittleEndian.AppendUint32(frame, uint32(xxhash.Sum64(src))), src)
	}
}

// TestFastSame checks that a frame does not depend on what the encoder encoded before, also if its
// positions begin again.
func TestFastSame(t *testing.T) {
	r, used := rand.New(rand.NewPCG(3, 4)), new(fast)
	for name, make := range makers {
		src := make(r, 1+r.IntN(400000))
		want := new(fast).encode(nil, src)
		for range 2 {
			used.origin = math.MaxInt32 - r.IntN(2*len(src)) - 1
			for range 3 {
				if got := used.encode(nil, src); !bytes.Equal(got, want) {
					t.Fatalf("%s, %d bytes: another frame", name, len(src))
				}
			}
		}
	}
}

// TestFastRatio checks that a text becomes at most 2 % larger than at the fastest level of the
// library.
func TestFastRatio(t *testing.T) {
	src, err := os.ReadFile("../../../testdata/docs/articles.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		t.Fatal(err)
	}
	if got, most := len(NewEncoder(1)(nil, src)), len(z.EncodeAll(src, nil))*51/50; got > most {
		t.Errorf("%d bytes become %d, want at most %d", len(src), got, most)
	}
}

// FuzzFast checks that the frame of a input, made after that of its beginning, is read as the
// input.
func FuzzFast(f *testing.F) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, make := range makers {
		f.Add(make(r, 3000))
	}
	used := new(fast)
	f.Fuzz(func(t *testing.T, src []byte) {
		used.encode(nil, src[:len(src)/2])
		checkFrame(t, "input", used.encode(nil, src), src)
		long := bytes.Repeat(src, 1+140000/(len(src)+1))
		checkFrame(t, "repeated", used.encode(nil, long), long)
	})
}
