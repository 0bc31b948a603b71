package minhash

import (
	"errors"
	"testing"
)

func TestScheme(t *testing.T) {
	for _, word := range []string{"minhash/h2/w3/128x32/s1/balanced", "minhash/h2/c5/64x8/s18446744073709551615/none", "minhash/highway-0123abcd/w3/128x16/s1/balanced"} {
		if s, err := ParseScheme(word); err != nil || s.String() != word {
			t.Errorf("%s: %v, %v", word, s, err)
		}
	}
	for _, word := range []string{
		"", "minhash", "minhash/h2", "minhash/h1/w3/128x32/s1/balanced", "exact/xxh3-128", "minhash/h2/w0/128x32/s1/balanced", "minhash/h2/w3/0x32/s1/balanced", "minhash/h2/w3/128x7/s1/balanced",
		"minhash/h2/w3/128x32/s1/odd", "minhash/h2/w3/128x32/s01/balanced", "minhash/h2/w3/128x32/s1/balanced/more", "minhash/h2/w3/128x32/s1/",
		"minhash/highway-/w3/128x32/s1/balanced", "minhash/highway-0123abc/w3/128x32/s1/balanced", "minhash/highway-0123ABCD/w3/128x32/s1/balanced",
	} {
		if s, err := ParseScheme(word); err == nil {
			t.Errorf("%q: no error: %v", word, s)
		}
	}
}

// TestFormer checks that ParseScheme returns a formerError only for schemes of the first version.
func TestFormer(t *testing.T) {
	for word, want := range map[string]bool{
		"minhash/w3/128x16/s1/balanced": true, "minhash/c5/64x8/s7/none": true,
		"minhash/w3/128x16/s1/odd": false, "minhash/h2/w3/128x16/s1": false, "minhash/h1/w3/128x16/s1/balanced": false,
	} {
		_, err := ParseScheme(word)
		var former *formerError
		if errors.As(err, &former) != want || err == nil {
			t.Errorf("%s: %v", word, err)
		}
	}
}
