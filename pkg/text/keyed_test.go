package text

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/text/utf"

	"github.com/minio/highwayhash"
)

var testKey = bytes.Repeat([]byte("0123"), 8)

// plainKeyed is a simple implementation of Append for a Shingler with a key.
func (s *Shingler) plainKeyed(text string) (hashes []uint64) {
	var units []string
	whole := text
	words := plainWords(text, s.opt.Normalize)
	if s.opt.Shingle.Unit == Words {
		for _, w := range words {
			units = append(units, w+" ")
		}
	} else {
		if s.opt.Normalize != None {
			text = strings.Join(words, " ")
		}
		units = slices.Collect(codePoints(text))
	}
	n := min(s.opt.Shingle.N, len(units))
	for i := 0; n > 0 && i+n <= len(units); i++ {
		hashes = append(hashes, highwayhash.Sum64([]byte(strings.Join(units[i:i+n], "")), s.key))
	}
	if n == 0 && whole != "" {
		hashes = append(hashes, highwayhash.Sum64([]byte(whole+"\xff"), s.key))
	}
	return hashes
}

// codePoints yields the code points of a text. An invalid byte counts as a code point.
func codePoints(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			n := utf.Len([]byte(text))
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}

func FuzzKeyed(f *testing.F) {
	for _, text := range []string{"", "one", "one two", "One  two, three four.", "日本語 text", " ", "?!", "a\xffb \xe2\x80", strings.Repeat("a b ", 40)} {
		f.Add(text, byte(3), byte(0))
		f.Add(text, byte(2), byte(5))
	}
	f.Fuzz(func(t *testing.T, text string, n, how byte) {
		o := Options{Shingling{[]Unit{Words, Chars}[how/4%2], 1 + int(n)%maxShingle}, Normalization(how % 4)}
		s := NewSetShingler(o, testKey)
		if got, want := s.Append(nil, []byte(text)), s.plainKeyed(text); !slices.Equal(got, want) {
			t.Fatalf("%+v: %x, want %x", o, got, want)
		}
	})
}

// TestKeyed checks that hashes depend on the key but not on case or punctuation, and that a nil key
// is the same as no key.
func TestKeyed(t *testing.T) {
	text, same := []byte("one two three four"), []byte("One, two; three FOUR")
	plain, keyed := NewShingler(Default), NewSetShingler(Default, testKey)
	other := NewSetShingler(Default, bytes.Repeat([]byte("x"), 32))
	a, b, c := plain.Append(nil, text), keyed.Append(nil, text), other.Append(nil, text)
	if len(a) != 2 || len(b) != 2 || a[0] == b[0] || b[0] == c[0] {
		t.Errorf("%x without a key, %x with one, %x with another", a, b, c)
	}
	if d := keyed.Append(nil, same); !slices.Equal(b, d) {
		t.Errorf("%x, and %x of the same words", b, d)
	}
	if got := NewSetShingler(Default, nil).Append(nil, text); !slices.Equal(got, a) {
		t.Errorf("%x without a key", got)
	}
}

// TestMadeToCollide checks that two words constructed to have the same hash without a key have
// different hashes with a key. In both words, the second eight bytes are equal to the hash of the
// first eight, so the xor of the two is 0, and so is the hash of the word. For about one in six
// million first halves, this second half consists of lower-case letters and digits.
func TestMadeToCollide(t *testing.T) {
	a, b := []byte("the xtbvuaaaxgsexmzl stands in a text"), []byte("the sznllhxg1yd22gzg stands in a text")
	plain, keyed := NewShingler(Default), NewSetShingler(Default, testKey)
	if x, y := plain.Append(nil, a), plain.Append(nil, b); !slices.Equal(x, y) {
		t.Errorf("%x, %x", x, y)
	}
	if x, y := keyed.Append(nil, a), keyed.Append(nil, b); x[0] == y[0] || x[3] != y[3] {
		t.Errorf("under a key: %x, %x", x, y)
	}
}

func BenchmarkKeyed(b *testing.B) {
	text := []byte(strings.Repeat("some words of a text that goes on and on ", 300))
	for name, s := range map[string]*Shingler{"plain": NewShingler(Default), "keyed": NewSetShingler(Default, testKey)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var dst []uint64
			for b.Loop() {
				dst = s.Append(dst[:0], text)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(dst)), "ns/shingle")
		})
	}
}

// TestBare checks that only equal texts without units have equal sets.
func TestBare(t *testing.T) {
	texts := []string{"", " ", "  ", "!!!", "!!", "🙂", "🙂🙂", "a", "a b", "a b c d"}
	for _, o := range allOptions() {
		for _, key := range [][]byte{nil, testKey} {
			s, sets := NewSetShingler(o, key), map[string]string{}
			for _, text := range texts {
				hashes := s.Append(nil, []byte(text))
				if (text == "") != (len(hashes) == 0) {
					t.Errorf("%+v: %q has %d hashes", o, text, len(hashes))
				}
				slices.Sort(hashes)
				set := fmt.Sprint(slices.Compact(hashes))
				if other, ok := sets[set]; ok && (o.Shingle.Unit == Words || o.Normalize != None) && len(plainWords(text, o.Normalize)) == 0 {
					t.Errorf("%+v: %q and %q have equal sets", o, text, other)
				}
				sets[set] = text
			}
		}
	}
}
