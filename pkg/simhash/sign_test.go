package simhash

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// plainSum is the oracle: it computes a simhash with one counter per bit, gram by gram.
func plainSum(text []byte, o options, hash func([]byte) Hash) (Hash, bool) {
	var runes [][]byte
	for len(text) > 0 {
		_, n := utf8.DecodeRune(text)
		runes, text = append(runes, text[:n]), text[n:]
	}
	var counts [128]int
	for i := 0; i+o.Grams <= len(runes); i++ {
		h := hash(bytes.Join(runes[i:i+o.Grams], nil))
		for b := range o.Bits {
			word := h.Lo
			if b >= 64 {
				word = h.Hi
			}
			counts[b] += int(word>>(b%64)&1)*2 - 1
		}
	}
	var sum Hash
	for b := range o.Bits {
		sum = Hash{sum.Hi<<1 | sum.Lo>>63, sum.Lo << 1}
		if counts[b] > 0 {
			sum.Lo |= 1
		}
	}
	return sum, len(runes) >= o.Grams
}

// options are the parameters of a simhash.
type options struct {
	Bits, Grams int
	Hash        Func
}

// sum returns the simhash of the n-grams of a text, and false if the text has none.
func (s *signer) sum(text []byte) (Hash, bool) {
	s.addChars(text)
	return s.Votes()
}

func signerOf(t testing.TB, o options) *signer {
	s, err := newSigner(o.Bits, o.Grams, o.Hash)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func FuzzSum(f *testing.F) {
	for _, seed := range []string{"", "a", "ab", "the cat sat in the hat\n", "漢字かな交じり文", "👩‍👩‍👧‍👦🏳️‍🌈", "\xff\xfea\x80", "\x00\x00"} {
		f.Add([]byte(seed), uint8(0))
	}
	f.Fuzz(func(t *testing.T, text []byte, choice uint8) {
		o := options{Bits: []int{32, 64, 128}[choice%3], Grams: int(choice/3)%5 + 1, Hash: []Func{City, XXH3}[choice/128]}
		s := signerOf(t, o)
		want, wantOK := plainSum(text, o, s.hash)
		for range 2 { // the second call checks that the first has reset the signer
			if got, ok := s.sum(text); got != want || ok != wantOK {
				t.Fatalf("%+v: got %s %v, want %s %v", o, got.Binary(), ok, want.Binary(), wantOK)
			}
		}
	})
}

// TestVote compares votes with 64 separate counters, for every number of words in the last block,
// and for enough words to reach the high planes.
func TestVote(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		checkVote(t, rnd, n)
	}
	checkVote(t, rnd, 100_003)
}

func checkVote(t *testing.T, rnd *rand.Rand, n int) {
	t.Helper()
	var v vote
	var block [16]uint64
	var counts [64]int
	for i := range n {
		word := rnd.Uint64() | rnd.Uint64()&1<<(i%64)
		block[i%16] = word
		for b := range counts {
			counts[b] += int(word >> b & 1)
		}
		if i%16 == 15 {
			v.add16(&block)
		}
	}
	if n%16 > 0 {
		v.addTail(&block, n%16)
	}
	got := v.majority()
	for b, count := range counts {
		if want := 2*count > n; got>>b&1 == 1 != want {
			t.Fatalf("%d words, bit %d: %d set, majority says %v", n, b, count, !want)
		}
	}
	if v.reset(); v != (vote{}) {
		t.Fatalf("%d words: reset left %v", n, v)
	}
}

func TestNewSignerRefuses(t *testing.T) {
	for _, o := range []options{{}, {Bits: 16, Grams: 2, Hash: City}, {Bits: 64, Hash: City}, {Bits: 64, Grams: 2, Hash: "md5"}} {
		if _, err := newSigner(o.Bits, o.Grams, o.Hash); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

func BenchmarkSum(b *testing.B) {
	text := bytes.Repeat([]byte("We all scream for ice cream; a Unix filter reads its standard input.\n"), 1000)
	for _, o := range []options{{32, 2, City}, {64, 2, City}, {128, 2, City}, {64, 2, XXH3}, {64, 5, XXH3}, {64, 9, XXH3}, {128, 5, XXH3}} {
		b.Run(fmt.Sprintf("bits=%d/grams=%d/hash=%s", o.Bits, o.Grams, o.Hash), func(b *testing.B) {
			s := signerOf(b, o)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				s.sum(text)
			}
		})
	}
}

func BenchmarkVote(b *testing.B) {
	words := make([]uint64, 16*1024)
	for i := range words {
		words[i] = rand.Uint64()
	}
	b.Run("impl=upright", func(b *testing.B) {
		b.SetBytes(int64(8 * len(words)))
		b.ReportAllocs()
		for b.Loop() {
			var v vote
			for i := 0; i < len(words); i += 16 {
				v.add16((*[16]uint64)(words[i:]))
			}
		}
	})
	b.Run("impl=counters", func(b *testing.B) {
		b.SetBytes(int64(8 * len(words)))
		b.ReportAllocs()
		for b.Loop() {
			var counts [64]int32
			for _, w := range words {
				for i := range counts {
					counts[i] += int32(w >> i & 1)
				}
			}
		}
	})
}
