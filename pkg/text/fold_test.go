package text

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBlocks holds the blocks in assembly against those in Go, on bytes of all
// kinds, with the first one above ASCII at every place or none.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 2000 {
		text := make([]byte, trial%300)
		for i := range text {
			text[i] = byte(r.IntN(128))
			if trial%3 > 0 {
				text[i] = 'A' + text[i]%60 // words of some length
			}
		}
		if n := r.IntN(400); n < len(text) {
			text[n] |= 0x80
		}
		inWord := uint64(trial % 2)
		got, n := folding(text, inWord, (*folder).blocks)
		want, m := folding(text, inWord, (*folder).plainBlocks)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(folder{})); d != "" || n != m {
			t.Fatalf("%q: %d bytes, want %d; %s", text, n, m, d)
		}
	}
}

func folding(text []byte, inWord uint64, fold func(*folder, []byte) int) (folder, int) {
	s := NewShingler(Default)
	s.grow(len(text))
	f := folder{dst: s.folded, edges: s.edges, inWord: inWord}
	n := fold(&f, text)
	return f, n
}
