package minhash

import "testing"

func TestScheme(t *testing.T) {
	for _, word := range []string{"minhash/w3/128x32/s1/balanced", "minhash/c5/64x8/s18446744073709551615/none"} {
		if s, err := ParseScheme(word); err != nil || s.String() != word {
			t.Errorf("%s: %v, %v", word, s, err)
		}
	}
	for _, word := range []string{
		"", "minhash", "exact/xxh3-128", "minhash/w0/128x32/s1/balanced", "minhash/w3/0x32/s1/balanced", "minhash/w3/128x7/s1/balanced",
		"minhash/w3/128x32/s1/odd", "minhash/w3/128x32/s01/balanced", "minhash/w3/128x32/s1/balanced/more", "minhash/w3/128x32/s1/",
	} {
		if s, err := ParseScheme(word); err == nil {
			t.Errorf("%q is no error: %v", word, s)
		}
	}
}
