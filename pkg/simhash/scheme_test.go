package simhash

import (
	"bytes"
	"strings"
	"testing"

	"doppel/pkg/text"
)

func scheme(t testing.TB, word string) Scheme {
	t.Helper()
	s, err := ParseScheme(word)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestParseScheme(t *testing.T) {
	for _, word := range []string{"simhash/c2/city/64/none", "simhash/c2/city/32/none/NFKC", "simhash/w3/xxh3/128/balanced", "simhash/c5/xxh3/64/aggressive/NFD/zero", "simhash/c2/city/128/none/zero"} {
		if got := scheme(t, word).String(); got != word {
			t.Errorf("%s parsed and written is %s", word, got)
		}
	}
	for _, word := range []string{"", "simhash", "minhash/h2/c2/city/64/none", "simhash/c2/city/64", "simhash/2/city/64/none", "simhash/c2/md5/64/none", "simhash/c2/city/65/none",
		"simhash/c2/city/064/none", "simhash/c2/city/64/none/nfc", "simhash/w3/city/64/none", "simhash/c2/city/64/none/zero/NFC", "simhash/c2/city/64/none/NFC/NFC", "simhash/c2/city/64/none/"} {
		if _, err := ParseScheme(word); err == nil {
			t.Errorf("%q: no error", word)
		}
	}
}

// TestSign checks that Sign returns the simhash of the expected features.
func TestSign(t *testing.T) {
	for _, c := range []struct{ scheme, text, features string }{
		{"simhash/c2/city/64/none", "abcd", "ab|bc|cd"},
		{"simhash/c2/city/64/none", "a", "a"},
		{"simhash/c2/city/64/none", "", ""},
		{"simhash/c2/xxh3/32/none", "漢字A", "漢字|字A"},
		{"simhash/c3/xxh3/128/balanced", "A, b!", "a b"},
		{"simhash/c2/city/64/none/NFC", "e\u0301e", "\u00e9e"},
		{"simhash/c2/city/64/none/NFKD", "\ufb01\u00e9", "fi|ie|e\u0301"},
		{"simhash/w2/xxh3/64/balanced", "The cat; the HAT", "the cat|cat the|the hat"},
		{"simhash/w2/xxh3/64/balanced", "Cat!", "cat"},
		{"simhash/w1/city/64/balanced", " cat, hat ", "cat|hat"},
		{"simhash/w3/xxh3/128/balanced", "one two three", "one two three"},
		{"simhash/w3/xxh3/64/balanced", "...", ""},
		{"simhash/w2/xxh3/64/conservative", "漢字 a", "漢 字|字 a"},
	} {
		s := scheme(t, c.scheme)
		signer, err := NewTextSigner(s)
		if err != nil {
			t.Fatal(err)
		}
		want, wantOK := votes(t, s, c.features)
		for range 2 {
			if got, ok := signer.Sign([]byte(c.text)); got != want || ok != wantOK {
				t.Errorf("%s of %q: got %x %v, want %x %v", c.scheme, c.text, got, ok, want, wantOK)
			}
		}
	}
}

// votes returns the simhash of the given features, which are separated by vertical bars.
func votes(t *testing.T, s Scheme, features string) (Hash, bool) {
	one := signerOf(t, options{Bits: s.Bits, Grams: 1, Hash: s.Hash})
	if features != "" {
		for f := range strings.SplitSeq(features, "|") {
			one.Add(one.hash([]byte(f)))
		}
	}
	return one.Votes()
}

// TestSignZero checks that if Zero is set, a text without features has the simhash 0.
func TestSignZero(t *testing.T) {
	signer, err := NewTextSigner(scheme(t, "simhash/c2/city/64/none/zero"))
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{"", "a"} {
		if h, ok := signer.Sign([]byte(body)); h != (Hash{}) || !ok {
			t.Errorf("%q: %v %v", body, h, ok)
		}
	}
	if h, ok := signer.Sign([]byte("ab")); h == (Hash{}) || !ok {
		t.Errorf("ab: %v %v", h, ok)
	}
}

func TestNewTextSignerRefuses(t *testing.T) {
	for _, s := range []Scheme{{}, {Bits: 64, Hash: City, Form: "x"}, {Bits: 64, Hash: City, Text: text.Options{Shingle: text.Shingling{Unit: text.Words, N: 2}}}} {
		if _, err := NewTextSigner(s); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}

func BenchmarkSign(b *testing.B) {
	body := bytes.Repeat([]byte("We all scream for ice cream; a Unix filter reads its standard input.\n"), 1000)
	for _, word := range []string{"simhash/c2/city/64/none", "simhash/c5/xxh3/64/balanced", "simhash/w3/xxh3/64/balanced", "simhash/c2/city/64/none/NFC"} {
		b.Run("scheme="+strings.ReplaceAll(word, "/", ","), func(b *testing.B) {
			signer, err := NewTextSigner(scheme(b, word))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				signer.Sign(body)
			}
		})
	}
}
