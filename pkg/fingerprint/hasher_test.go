package fingerprint

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHasher checks that every window has the same hash as a text that consists of this window
// alone.
func TestHasher(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, window := range []int{1, 2, 7, 50} {
		p := Default
		p.Window = window
		h, err := NewHasher(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 49, 50, 51, 300} {
			text, values := make([]byte, n), make([]uint64, n)
			for i := range text {
				text[i] = byte(r.Uint32())
				values[i] = uint64(text[i])
			}
			var want []uint64
			for i := 0; i+window <= n; i++ {
				want = append(want, h.AppendBytes(nil, text[i:i+window])...)
			}
			if got := h.AppendBytes([]uint64{7}, text); !slices.Equal(got[1:], want) {
				t.Errorf("window %d of %d bytes: %x, not %x", window, n, got, want)
			}
			if got := h.AppendValues(nil, values); !slices.Equal(got, want) {
				t.Errorf("window %d of %d values: %x, not %x", window, n, got, want)
			}
		}
	}
}

func TestHasherChecks(t *testing.T) {
	if _, err := NewHasher(Params{}); err == nil {
		t.Error("no error for a window of nothing")
	}
}
