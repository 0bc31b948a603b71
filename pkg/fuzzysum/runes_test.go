package fuzzysum

import (
	"testing"
	"unicode"
)

// TestRunes holds what the cache learns, and how characters are decoded, against
// Unicode, for all characters.
func TestRunes(t *testing.T) {
	var cache runeCache
	for r := rune(1); r <= unicode.MaxRune; r++ {
		want := knownRune{r, pack(fold(r)), classify(r), unicode.IsSpace(r)}
		if got := *cache.lookup(r); got != want {
			t.Fatalf("%U: %+v, want %+v", r, got, want)
		}
	}
}
