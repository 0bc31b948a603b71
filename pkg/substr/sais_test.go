package substr

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

func checkSuffixArray[T code](t *testing.T, text []T, k int) {
	t.Helper()
	got, want := make([]int32, len(text)), make([]int32, len(text))
	for i := range want {
		want[i], got[i] = int32(i), -7
	}
	slices.SortFunc(want, func(i, j int32) int { return slices.Compare(text[i:], text[j:]) })
	suffixArray(text, got, k)
	if !slices.Equal(got, want) {
		t.Fatalf("%v: got %v, want %v", text, got, want)
	}
}

// TestSuffixArray tests all texts of up to nine symbols over an alphabet of three symbols, and
// longer random texts.
func TestSuffixArray(t *testing.T) {
	for n := range 10 {
		text := make([]uint8, n)
		total := 1
		for range n {
			total *= 3
		}
		for x := range total {
			for i := range text {
				text[i] = uint8(x % 3)
				x /= 3
			}
			checkSuffixArray(t, text, 3)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		k := 1 + rnd.IntN(6)
		text := make([]int32, rnd.IntN(300))
		for i := range text {
			text[i] = int32(rnd.IntN(k))
		}
		checkSuffixArray(t, text, k)
	}
}

func FuzzSuffixArray(f *testing.F) {
	f.Add([]byte("the cat sat in the hat, the cat sat on the mat"))
	f.Add(bytes.Repeat([]byte("abcab"), 50))
	f.Fuzz(func(t *testing.T, text []byte) { checkSuffixArray(t, text, 256) })
}

// sample returns n bytes of random words with skewed frequencies. The result depends only on n and
// the seed.
func sample(n int, seed uint64) []byte {
	rnd := rand.New(rand.NewPCG(seed, 1))
	words := make([]string, 5000)
	for i := range words {
		var w strings.Builder
		for range 1 + rnd.IntN(10) {
			w.WriteByte("etaoinshrdlucmfwypvbgkqjxz"[min(rnd.IntN(26), rnd.IntN(26))])
		}
		words[i] = w.String()
	}
	text := make([]byte, 0, n+16)
	for len(text) < n {
		i := int(float64(len(words)) * rnd.Float64() * rnd.Float64() * rnd.Float64())
		text = append(append(text, words[i]...), ' ')
	}
	return text[:n]
}

func BenchmarkSuffixArray(b *testing.B) {
	for _, n := range []int{140_000, 2_000_000, 20_000_000} {
		text := sample(n, 1)
		if name := os.Getenv("TEXT"); name != "" {
			text, _ = os.ReadFile(name)
			text = text[:min(n, len(text))]
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			sa := make([]int32, len(text))
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				suffixArray(text, sa, 256)
			}
		})
	}
}
