package fuzzysum

import (
	"testing"
	"unicode"
	"unicode/utf8"
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

// TestDecode holds decode against the standard library, for all texts of three
// bytes that begin above ASCII.
func TestDecode(t *testing.T) {
	for n := 0x80_00_00; n <= 0xff_ff_ff; n++ {
		text := []byte{byte(n >> 16), byte(n >> 8), byte(n)}
		r, size := decode(text)
		if want, wantSize := utf8.DecodeRune(text); r != want || size != wantSize {
			t.Fatalf("% x: %U of %d bytes, want %U of %d", text, r, size, want, wantSize)
		}
	}
}
