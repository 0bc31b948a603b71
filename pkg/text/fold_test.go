package text

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBlocks compares the assembly of foldBlocks with the Go code for random texts, with the first
// byte above ASCII at a random position or absent.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 2000 {
		text := make([]byte, trial%300)
		for i := range text {
			text[i] = byte(r.IntN(128))
			if trial%3 > 0 {
				text[i] = 'A' + text[i]%60 // mostly letters, so that words are longer
			}
		}
		if n := r.IntN(400); n < len(text) {
			text[n] |= 0x80
		}
		inWord := uint64(trial % 2)
		got, n := folding(text, inWord, (*folder).foldBlocks)
		want, m := folding(text, inWord, (*folder).plainFoldBlocks)
		if n != m || !slices.Equal(got.edges, want.edges) || got.inWord != want.inWord || !equalWords(got, want) {
			t.Fatalf("%q: %d bytes, %v; want %d, %v", text, n, got, m, want)
		}
	}
}

// equalWords reports whether the words of a and b have the same bytes. The bytes between words may
// differ.
func equalWords(a, b folder) bool {
	if len(a.dst) != len(b.dst) {
		return false
	}
	// The variable word is true if the byte a.dst[at] is in a word.
	word := a.inWord == 1 == (len(a.edges)%2 == 0)
	for at, edges := 0, a.edges; at < len(a.dst); at++ {
		for len(edges) > 0 && int(edges[0]) == at {
			word, edges = !word, edges[1:]
		}
		if word && a.dst[at] != b.dst[at] {
			return false
		}
	}
	return true
}

func folding(text []byte, inWord uint64, fold func(*folder, []byte) int) (folder, int) {
	f := folder{inWord: inWord}
	f.grow(len(text))
	n := fold(&f, text)
	return f, n
}

// TestHashAll compares the assembly of hashAll with the Go code for words of up to 49 bytes.
func TestHashAll(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 50 {
		var folded []byte
		var edges []int32
		for range n {
			edges = append(edges, int32(len(folded)))
			for range 1 + r.IntN(n) {
				folded = append(folded, byte(r.IntN(256)))
			}
			edges = append(edges, int32(len(folded)))
		}
		folded = append(folded, padding[:]...)
		got, want := make([]uint64, n), make([]uint64, n)
		hashAll(got, folded, edges)
		plainHashAll(want, folded, edges)
		if !slices.Equal(got, want) {
			t.Fatalf("%d words: %x, want %x", n, got, want)
		}
	}
}
