package fuzzysum

import (
	"testing"
	"unicode"
)

// TestRunes checks that the cache returns the properties of every character as package unicode
// defines them.
func TestRunes(t *testing.T) {
	var cache runeCache
	for r := rune(1); r <= unicode.MaxRune; r++ {
		want := knownRune{r, packUTF8(fold(r)), classify(r), unicode.IsSpace(r)}
		if got := *cache.lookup(r); got != want {
			t.Fatalf("%U: %+v, want %+v", r, got, want)
		}
	}
}
