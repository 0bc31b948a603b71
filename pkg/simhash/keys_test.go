package simhash

import (
	"math/rand/v2"
	"testing"
)

// TestKeys checks that two hashes within k bits share a key, and that a hash and its complement do
// not.
func TestKeys(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for _, width := range []int{32, 64, 128} {
		for k := range 8 {
			keys, err := NewKeys(width, k)
			if err != nil {
				t.Fatal(err)
			}
			if want := (k + 2) * (k + 1) / 2; keys.Len() != want {
				t.Fatalf("%d keys, want %d", keys.Len(), want)
			}
			checkKeys(t, keys, rnd, width, k)
		}
	}
}

func checkKeys(t *testing.T, keys *Keys, rnd *rand.Rand, width, k int) {
	t.Helper()
	for range 200 {
		a := fit(Hash{rnd.Uint64(), rnd.Uint64()}, width)
		near := a
		for _, bit := range rnd.Perm(width)[:k] {
			near = flipBit(near, bit)
		}
		if !shareKey(keys, a, near) {
			t.Fatalf("width %d, k %d: %x and %x share no key", width, k, a, near)
		}
		if far := fit(Hash{^a.Hi, ^a.Lo}, width); shareKey(keys, a, far) {
			t.Fatalf("width %d, k %d: %x and its complement share a key", width, k, a)
		}
	}
}

func shareKey(keys *Keys, a, b Hash) bool {
	x, y := keys.Append(nil, a), keys.Append(nil, b)
	for i := range x {
		if x[i] == y[i] {
			return true
		}
	}
	return false
}

func TestNewKeysRefuses(t *testing.T) {
	for _, c := range [][2]int{{32, -1}, {64, 22}, {32, 31}} {
		if _, err := NewKeys(c[0], c[1]); err == nil {
			t.Errorf("width %d, k %d: no error", c[0], c[1])
		}
	}
}
