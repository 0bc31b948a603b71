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
)

// plain is the sketch as the paper's definition has it, one slot at a time.
func plain(elements []uint64, k int, seed uint64) []uint32 {
	s := New(k, seed)
	best := slices.Repeat([]uint64{empty}, k)
	for round := 0; round < 2*k && slices.Contains(best, empty); round++ {
		for _, x := range elements {
			h := hash(x, s.key(round))
			slot := round - k
			if round < k {
				slot = int(math.Floor(float64(h>>11) / (1 << 53) * float64(k)))
			}
			best[slot] = min(best[slot], uint64(round)<<48|h*mulA>>16)
		}
	}
	dst := make([]uint32, k)
	for i, v := range best {
		dst[i] = uint32(mix(v) >> 32)
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

func TestSketchPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range []int{1, 2, 16, 128} {
		for _, n := range []int{1, 2, 3, 10, 100, 1000} {
			e := elements(r, n)
			got := make([]uint32, k)
			New(k, 7).Sketch(got, e)
			if d := cmp.Diff(plain(e, k, 7), got); d != "" {
				t.Errorf("k %d, n %d: %s", k, n, d)
			}
		}
	}
}

// TestSimilarity holds the estimate's bias and error against theory, over sets
// smaller and larger than the sketch.
func TestSimilarity(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const k, trials = 128, 400
	for _, n := range []int{6, 30, 300, 2000} {
		for _, shared := range []int{n / 3, n / 2, n * 9 / 10} {
			j := float64(shared) / float64(2*n-shared)
			var sum, squares float64
			for range trials {
				all := elements(r, 2*n-shared)
				a, b := make([]uint32, k), make([]uint32, k)
				s := New(k, r.Uint64())
				s.Sketch(a, all[:n])
				s.Sketch(b, all[n-shared:])
				equal := 0
				for i := range a {
					if a[i] == b[i] {
						equal++
					}
				}
				d := Similarity(equal, k, 32) - j
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
	again := append(slices.Clone(e), e...)
	slices.Reverse(again)
	a, b := make([]uint32, 64), make([]uint32, 64)
	s := New(64, 1)
	s.Sketch(a, e)
	s.Sketch(b, again)
	if !slices.Equal(a, b) {
		t.Error("order or repeats change the sketch")
	}
	if s.Sketch(a, nil) {
		t.Error("the empty set has a sketch")
	}
}

func TestEncoding(t *testing.T) {
	for _, k := range []int{1, 3, 128, 1000} {
		for _, b := range []int{8, 16, 32} {
			slots := make([]uint32, k)
			for i := range slots {
				slots[i] = uint32(i*2654435761) & uint32(1<<b-1)
			}
			text := AppendSketch(nil, slots, b)
			got := make([]uint32, k)
			if _, err := DecodeSketch(got, nil, text, b); err != nil || !slices.Equal(got, slots) {
				t.Errorf("k %d, b %d: %v, %v", k, b, got, err)
			}
			if _, err := DecodeSketch(got, nil, text[1:], b); err == nil {
				t.Errorf("k %d, b %d: a short sketch is no error", k, b)
			}
			if _, err := DecodeSketch(got, nil, bytes.Repeat([]byte("*"), len(text)), b); err == nil {
				t.Errorf("k %d, b %d: a sketch of asterisks is no error", k, b)
			}
		}
	}
}

func FuzzDecodeSketch(f *testing.F) {
	f.Add([]byte("AAAAAA"))
	f.Fuzz(func(t *testing.T, text []byte) {
		slots := make([]uint32, 4)
		if _, err := DecodeSketch(slots, nil, text, 32); err == nil {
			again := AppendSketch(nil, slots, 32)
			if _, err := DecodeSketch(make([]uint32, 4), nil, again, 32); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestVectors holds published sketches of the sets {1}, {1, 2}, …, multiplied
// by an odd constant.
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
				slots := make([]uint32, k)
				New(k, seed).Sketch(slots, e)
				for _, b := range []int{16, 32} {
					fmt.Fprintf(&got, "%d\t%d\t%d\t%d\t%s\n", n, k, seed, b, AppendSketch(nil, slots, b))
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
			e := elements(rand.New(rand.NewPCG(1, 1)), n)
			s, dst := New(128, 1), make([]uint32, 128)
			b.SetBytes(int64(8 * n))
			b.ReportAllocs()
			for b.Loop() {
				s.Sketch(dst, e)
			}
		})
	}
}
