package radix

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// An element is sorted by bits of hi, then by bits of lo.
type element struct {
	hi, lo uint64
	at     uint32
}

// value returns the bits that k selects in a word. It shares no code with Sort.
func value(word uint64, k Bits) uint64 {
	if k.N == 64 {
		return word
	}
	return word >> k.Low % (1 << k.N)
}

// FuzzSort compares Sort with a stable comparison sort, for few and many elements and for bits at
// any position.
func FuzzSort(f *testing.F) {
	for _, n := range []int{0, 1, few - 1, few, 1000, many} {
		for _, bits := range []uint8{0, 1, 8, 11, 22, 63, 64} {
			f.Add(n, bits, bits/2, uint64(n))
		}
	}
	f.Fuzz(func(t *testing.T, n int, bits, low uint8, seed uint64) {
		if n < 0 || n > 3*many || bits > 64 || low > 64-bits {
			t.Skip()
		}
		hi, lo := Bits{0, int(low), int(bits)}, Bits{1, 64 - int(low) - int(bits), int(bits)}
		r := rand.New(rand.NewPCG(seed, 1))
		a := make([]element, n)
		for i := range a {
			a[i] = element{r.Uint64() >> r.IntN(64), r.Uint64() << r.IntN(64), uint32(i)}
		}
		want := slices.Clone(a)
		slices.SortStableFunc(want, func(x, y element) int {
			return cmp.Or(cmp.Compare(value(x.hi, hi), value(y.hi, hi)), cmp.Compare(value(x.lo, lo), value(y.lo, lo)))
		})
		if got := Sort(a, make([]element, n), lo, hi); !slices.Equal(got, want) {
			t.Errorf("%d elements by %v and %v: wrong order", n, hi, lo)
		}
	})
}

// TestElements checks that Sort accepts integers and arrays.
func TestElements(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{10, 100, 5000} {
		words, pairs := make([]uint64, n), make([][2]uint64, n)
		for i := range words {
			words[i] = r.Uint64()
			pairs[i] = [2]uint64{words[i], ^words[i]}
		}
		words, pairs = Sort(words, make([]uint64, n), First), Sort(pairs, make([][2]uint64, n), First)
		for i, w := range words {
			if i > 0 && words[i-1] > w || pairs[i] != [2]uint64{w, ^w} {
				t.Fatalf("%d elements: wrong at %d", n, i)
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, k := range []Bits{{Word: 1, N: 64}, {Word: -1, N: 1}, {Low: 1, N: 64}, {Low: -1, N: 8}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v of one word: no panic", k)
				}
			}()
			Sort([]uint64{1, 2}, make([]uint64, 2), k)
		}()
	}
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{50, 1000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			in, a, tmp := make([][2]uint64, n), make([][2]uint64, n), make([][2]uint64, n)
			for i := range in {
				in[i] = [2]uint64{r.Uint64(), uint64(i)}
			}
			b.SetBytes(int64(16 * n))
			b.ReportAllocs()
			for b.Loop() {
				copy(a, in)
				Sort(a, tmp, First)
			}
		})
	}
}
