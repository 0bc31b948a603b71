package fuzzysum

import (
	"testing"
	"unicode"
)

// TestRunes compares the cached properties and the decoding of all characters with the
// unicode packages.
func TestRunes(t *testing.T) {
	var cache runeCache
	for r := rune(1); r <= unicode.MaxRune; r++ {
		want := knownRune{r, packUTF8(fold(r)), classify(r), unicode.IsSpace(r)}
		if got := *cache.lookup(r); got != want {
			t.Fatalf("%U: %+v, want %+v", r, got, want)
		}
	}
}
