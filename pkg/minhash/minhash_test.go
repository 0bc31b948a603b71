package minhash

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/digest"
)

// plain computes the slots of a sketch directly as defined in the paper cited in the package
// comment.
func plain(elements []uint64, k int, seed uint64) []uint32 {
	s := New(k, seed)
	best := slices.Repeat([]uint64{empty}, k)
	for round := 0; round < 2*k && slices.Contains(best, empty); round++ {
		for _, x := range elements {
			slot, h := round-k, s.roundKeyOf(round).hash(x)
			if round < k {
				slot = int(math.Floor(float64(h>>11) / (1 << 53) * float64(k)))
				h *= uint64(k)
			}
			best[slot] = min(best[slot], uint64(round)<<48|h>>16)
		}
	}
	dst := make([]uint32, k)
	for i, v := range best {
		dst[i] = uint32(digest.Mix(v) >> 32)
	}
	return dst
}

func elements(r *rand.Rand, n int) []uint64 {
	e := make([]uint64, n)
	for i := range e {
		e[i] = r.Uint64()
	}
	return e
}

// sketch returns the sketch of a non-empty set.
func sketch(s *Sketcher, elements []uint64) *Sketch {
	dst := &Sketch{Slots: make([]uint32, len(s.best))}
	s.Sketch(dst, elements)
	return dst
}

func TestSketchPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{1, 2, 16, 128} {
		for _, n := range []int{1, 2, 3, 10, 100, 1000} {
			e := elements(r, n)
			got := sketch(New(k, 7), e)
			if d := cmp.Diff(plain(e, k, 7), got.Slots); d != "" {
				t.Errorf("k %d, n %d: %s", k, n, d)
			}
		}
	}
}

// TestSimilarity compares the estimate's bias and error with theory, for sets smaller and
// larger than the sketch.
func TestSimilarity(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const k, trials = 128, 400
	for _, n := range []int{6, 30, 300, 2000} {
		for _, shared := range []int{n / 3, n / 2, n * 9 / 10} {
			j := float64(shared) / float64(2*n-shared)
			var sum, squares float64
			for range trials {
				all := elements(r, 2*n-shared)
				s := New(k, r.Uint64())
				a, b := sketch(s, all[:n]), sketch(s, all[n-shared:])
				equal := 0
				for i := range a.Slots {
					if a.Slots[i] == b.Slots[i] {
						equal++
					}
				}
				d := similarity(equal, k, 32) - j
				sum += d
				squares += d * d
			}
			sd := math.Sqrt(j * (1 - j) / k)
			if bias := sum / trials; math.Abs(bias) > 5*sd/math.Sqrt(trials) {
				t.Errorf("n %d, J %.3f: bias %.4f, standard deviation %.4f", n, j, bias, sd)
			}
			if rms := math.Sqrt(squares / trials); rms > 1.15*sd {
				t.Errorf("n %d, J %.3f: error %.4f, theory %.4f", n, j, rms, sd)
			}
		}
	}
}

func TestSketchIsOfTheSet(t *testing.T) {
	e := elements(rand.New(rand.NewPCG(5, 6)), 50)
	turned := slices.Clone(e)
	slices.Reverse(turned)
	s := New(64, 1)
	a, b, twice := sketch(s, e), sketch(s, turned), sketch(s, append(turned, e...))
	if !slices.Equal(a.Slots, b.Slots) || a.Digest != b.Digest || !slices.Equal(a.Slots, twice.Slots) {
		t.Error("order or repeats change the sketch")
	}
	if other := sketch(s, e[1:]); other.Digest == a.Digest {
		t.Error("different sets have the same digest")
	}
	if s.Sketch(a, nil) {
		t.Error("the empty set has a sketch")
	}
}

func TestCodec(t *testing.T) {
	for _, k := range []int{1, 3, 128, 1000} {
		for _, b := range []int{8, 16, 32} {
			in, got := &Sketch{make([]uint32, k), 0xfedcba9876543210}, &Sketch{Slots: make([]uint32, k)}
			for i := range in.Slots {
				in.Slots[i] = uint32(i*2654435761) & uint32(1<<b-1)
			}
			c := &Codec{K: k, B: b}
			text := c.Append([]byte("> "), in)[2:]
			if err := c.Decode(got, text); err != nil || !cmp.Equal(got, in) {
				t.Errorf("k %d, b %d: %v, %v", k, b, got, err)
			}
			wide := &Sketch{slices.Clone(in.Slots), in.Digest}
			for i := range wide.Slots {
				wide.Slots[i] |= uint32(uint64(i+1) << b)
			}
			if c.Cut(wide.Slots); !cmp.Equal(wide, in) {
				t.Errorf("k %d, b %d: cut to %v, not %v", k, b, wide, in)
			}
			for _, bad := range [][]byte{text[1:], bytes.Repeat([]byte("*"), len(text))} {
				if err := c.Decode(got, bad); err == nil {
					t.Errorf("k %d, b %d: %.9s…: no error", k, b, bad)
				}
			}
		}
	}
}

func TestCompare(t *testing.T) {
	raw := func(digest uint64, slots ...uint32) []byte {
		c := &Codec{K: 4, B: 32}
		b, err := c.Raw(nil, c.Append(nil, &Sketch{slots, digest}))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	c := &Codec{K: 4, B: 32}
	a := raw(1, 1, 2, 3, 4)
	for _, tc := range []struct {
		b    []byte
		want float64
	}{{a, 1}, {raw(2, 1, 2, 3, 4), .8}, {raw(2, 1, 2, 3, 5), .75}, {raw(2, 5, 6, 7, 8), 0}} {
		if got := c.Compare(a, tc.b); math.Abs(got-tc.want) > 1e-6 {
			t.Errorf("%v, want %v", got, tc.want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("AAAAAAAAAAAAAAAAAAAAAA"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, s, again := &Codec{K: 2, B: 32}, &Sketch{Slots: make([]uint32, 2)}, &Sketch{Slots: make([]uint32, 2)}
		if c.Decode(s, text) == nil {
			if err := c.Decode(again, c.Append(nil, s)); err != nil || !cmp.Equal(s, again) {
				t.Error(s, again, err)
			}
		}
	})
}

// TestVectors compares sketches with the published ones. The sets are {1}, {1, 2}, …, with each
// element multiplied by an odd constant.
func TestVectors(t *testing.T) {
	const name = "../../testdata/vectors/minhash.tsv"
	var got strings.Builder
	got.WriteString("# elements i*0x9e3779b97f4a7c15 for i from 1 to n; k; seed; bits; sketch\n")
	for _, n := range []int{1, 2, 10, 500} {
		for _, k := range []int{1, 16, 128} {
			for _, seed := range []uint64{0, 1} {
				e := make([]uint64, n)
				for i := range e {
					e[i] = uint64(i+1) * mulA
				}
				s := sketch(New(k, seed), e)
				for _, b := range []int{16, 32} {
					fmt.Fprintf(&got, "%d\t%d\t%d\t%d\t%s\n", n, k, seed, b, (&Codec{K: k, B: b}).Append(nil, s))
				}
			}
		}
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Error(d)
	}
}

func BenchmarkSketch(b *testing.B) {
	for _, n := range []int{5, 60, 500, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			// The benchmark uses many sets, because a branch predictor would learn a repeated set.
			r := rand.New(rand.NewPCG(1, 1))
			var sets [256][]uint64
			for i := range sets {
				sets[i] = elements(r, n)
			}
			s, dst, i := New(128, 1), &Sketch{Slots: make([]uint32, 128)}, 0
			b.SetBytes(int64(8 * n))
			b.ReportAllocs()
			for b.Loop() {
				s.Sketch(dst, sets[i%len(sets)])
				i++
			}
		})
	}
}
