package fingerprint

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/jaccard"
)

var primes = []uint64{2, 3, 7, 31, 65537, 982451653, 18446744073709551557}

func FuzzRaw(f *testing.F) {
	f.Add([]byte("the cat sat in the hat"), uint16(5), uint8(2), uint64(0), uint8(1))
	f.Add([]byte("the cat sat in the hat"), uint16(5), uint8(6), uint64(1<<32), uint8(0))
	f.Add([]byte("the cat sat in the hat"), uint16(22), uint8(5), uint64(1<<61-1), uint8(1))
	f.Add(make([]byte, 2000), uint16(50), uint8(0), uint64(math.MaxUint64), uint8(0))
	f.Add(bytes.Repeat([]byte("ab"), 1000), uint16(1), uint8(6), uint64(3), uint8(2))
	f.Fuzz(func(t *testing.T, text []byte, window uint16, prime uint8, modulus uint64, low uint8) {
		p := Params{Unit: Bytes, Window: int(window%300) + 1, Prime: primes[int(prime)%len(primes)],
			Modulus: modulus, Criterion: LowBits(int(low % 8)), Raw: true}
		text = text[:min(len(text), 3*blockLen)]
		got := newSampler(t, p).Append(nil, onePart(text))
		if d := cmp.Diff(plain(p, text), got); d != "" {
			t.Errorf("%v (-plain +rolled):\n%s", p, d)
		}
		checkEncoding(t, p, got)
	})
}

func FuzzMixed(f *testing.F) {
	f.Add([]byte("the cat sat in the hat"), uint16(5), uint64(0), uint8(1), uint16(3))
	f.Add(make([]byte, 2000), uint16(49), uint64(1000), uint8(0), uint16(700))
	f.Add([]byte(strings.Repeat("A page inside a book. ", 90)), uint16(8), uint64(0), uint8(104), uint16(7))
	f.Add([]byte(strings.Repeat("A page inside a book. ", 90)), uint16(8), uint64(1000), uint8(107), uint16(7))
	f.Add([]byte(strings.Repeat("=-", 900)+"x"), uint16(8), uint64(1<<40), uint8(0), uint16(1))
	f.Fuzz(func(t *testing.T, text []byte, window uint16, modulus uint64, low uint8, winnow uint16) {
		p := Params{Unit: Bytes, Window: int(window%300) + 1, Prime: Default.Prime, Modulus: modulus, Criterion: LowBits(int(low % 8))}
		if low > 99 && (modulus == 0 || modulus > 8) {
			p.Further = []Criterion{{1, 7}, {2, 3}}[:1+low%2]
		}
		text = text[:min(len(text), 5*blockLen)]
		got := newSampler(t, p).Append(nil, onePart(text))
		if d := cmp.Diff(plainMixed(p, text), got); d != "" {
			t.Errorf("%v (-plain +rolled):\n%s", p, d)
		}
		p.Winnow = int(winnow%1500) + 1
		got = newSampler(t, p).Append(nil, onePart(text))
		if d := cmp.Diff(plainWinnow(p, text), got); d != "" {
			t.Errorf("%v (-plain +rolled):\n%s", p, d)
		}
		checkEncoding(t, p, got)
	})
}

// TestSameSet checks that the set of a text does not depend on whether the Sampler was used before,
// whether bytes are given as code points or as values, or whether dst is empty.
func TestSameSet(t *testing.T) {
	text := []byte(strings.Repeat("A page inside a book. ", 90) + randomText(3, 3000))
	for _, p := range []Params{
		{Unit: Bytes, Window: 20, Prime: 31, Criterion: LowBits(3)},
		{Unit: Bytes, Window: 20, Prime: 31, Winnow: 9},
		{Unit: Bytes, Window: 20, Prime: 31, Criterion: LowBits(3), Raw: true},
		{Unit: Bytes, Window: 20, Prime: 31, Modulus: 1e9 + 7, Criterion: LowBits(3), Raw: true},
	} {
		s := newSampler(t, p)
		want := s.Append(nil, onePart(text))
		p.Unit = Chars
		var values []uint64
		for _, b := range text {
			values = append(values, uint64(b))
		}
		for name, got := range map[string][]uint64{
			"again":      s.Append(nil, onePart(text)),
			"characters": newSampler(t, p).Append(nil, onePart(text)),
			"values":     s.AppendValues(nil, onePart(values)),
			"appended":   s.Append([]uint64{9, 9}, onePart(text))[2:],
		} {
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%v, %s (-want +got):\n%s", p, name, d)
			}
		}
	}
}

// TestWinnowGuarantee checks that a shared passage of Winnow+Window-1 bytes is always
// found.
func TestWinnowGuarantee(t *testing.T) {
	p := Params{Unit: Bytes, Window: 50, Prime: Default.Prime, Winnow: 64}
	s := newSampler(t, p)
	for seed := range uint64(300) {
		passage := randomText(seed, p.Winnow+p.Window-1)
		a := s.Append(nil, onePart([]byte(randomText(seed+1000, int(seed))+passage+randomText(seed+2000, 500))))
		b := s.Append(nil, onePart([]byte(randomText(seed+3000, 700)+passage+randomText(seed+4000, int(seed)*3))))
		if jaccard.Shared(a, b, 0) == 0 {
			t.Errorf("seed %d: the passage was missed", seed)
		}
	}
}

func TestWinnowDensity(t *testing.T) {
	const w, n = 63, 1 << 20
	set := newSampler(t, Params{Unit: Bytes, Window: 50, Prime: Default.Prime, Winnow: w}).Append(nil, onePart([]byte(randomText(1, n))))
	if got, want := float64(len(set)), 2.0*n/(w+1); math.Abs(got/want-1) > 0.02 {
		t.Errorf("%v fingerprints of %d windows, want about %v", got, n, want)
	}
}

// TestEven checks that the eight low bits of hashes are evenly distributed, even if the bytes of
// the text differ in only one bit.
func TestEven(t *testing.T) {
	const n = 1 << 20
	r := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(r.IntN(2)) << 7
	}
	count := make([]float64, 256)
	for _, h := range newSampler(t, Params{Unit: Bytes, Window: 50, Prime: Default.Prime}).Append(nil, onePart(text)) {
		count[h&255]++
	}
	square := 0.0
	for _, c := range count {
		square += (c - n/256) * (c - n/256) / (n / 256)
	}
	if square > 330.5 { // 99.9 % quantile for 255 degrees of freedom; the text is fixed, so the result is always the same
		t.Errorf("chi square of the low bits is %.1f", square)
	}
}

// TestRepetitive checks that a long repetitive text needs memory only for its distinct windows.
func TestRepetitive(t *testing.T) {
	page := randomText(1, 5000)
	p := Params{Unit: Bytes, Window: 20, Prime: Default.Prime} // without a criterion, all hashes are kept
	set := newSampler(t, p).Append(nil, onePart([]byte(strings.Repeat(page, 200))))
	if len(set) != len(page) || cap(set) > 4*compactAt {
		t.Errorf("%d fingerprints in room for %d, want %d", len(set), cap(set), len(page))
	}
}

func TestPadding(t *testing.T) {
	all := Params{Unit: Bytes, Window: 16, Prime: Default.Prime}
	raw := all
	raw.Raw = true
	for _, c := range []struct {
		text       string
		mixed, raw int
	}{
		{strings.Repeat("\x00", 1000), 0, 1},
		{strings.Repeat("=-", 500), 0, 2},
		{strings.Repeat("12345678", 100), 0, 8},
		{strings.Repeat("123456789", 100), 9, 9},
		{"fifteen letters", 0, 0},
		{"sixteen letters!", 1, 1},
	} {
		if n := len(newSampler(t, all).Append(nil, onePart([]byte(c.text)))); n != c.mixed {
			t.Errorf("%.20q…: %d fingerprints, want %d", c.text, n, c.mixed)
		}
		if n := len(newSampler(t, raw).Append(nil, onePart([]byte(c.text)))); n != c.raw {
			t.Errorf("%.20q…: %d raw fingerprints, want %d", c.text, n, c.raw)
		}
	}
}

func TestWordsAreNotText(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("text was sampled by words without a panic")
		}
	}()
	newSampler(t, Params{Unit: Words, Window: 3, Prime: 31}).Append(nil, onePart([]byte("one two three")))
}

func TestAllocs(t *testing.T) {
	text, dst := []byte(randomText(1, 1<<16)), make([]uint64, 0, 1<<12)
	for _, p := range []Params{Default, {Unit: Chars, Window: 50, Prime: 31, Winnow: 64}} {
		s := newSampler(t, p)
		// The limit of 6 does not depend on the length of the text.
		if n := testing.AllocsPerRun(10, func() { dst = s.Append(dst[:0], onePart(text)) }); n > 6 {
			t.Errorf("%v: %v allocations a text", p, n)
		}
	}
}

func randomText(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 0))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('!' + r.IntN(90))
	}
	return string(b)
}

func benchmark(b *testing.B, p Params, text string) {
	s, dst := newSampler(b, p), []uint64(nil)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		dst = s.Append(dst[:0], onePart([]byte(text)))
	}
}

func BenchmarkBytes(b *testing.B) { benchmark(b, Default, randomText(1, 1<<20)) }

func BenchmarkShort(b *testing.B) { benchmark(b, Default, randomText(1, 1<<11)) }

func BenchmarkRaw(b *testing.B) {
	p := Default
	p.Raw = true
	benchmark(b, p, randomText(1, 1<<20))
}

func BenchmarkRawModulo(b *testing.B) {
	p := Default
	p.Raw, p.Modulus = true, 1e9+7
	benchmark(b, p, randomText(1, 1<<20))
}

func BenchmarkChars(b *testing.B) {
	p := Default
	p.Unit = Chars
	benchmark(b, p, randomText(1, 1<<20))
}

func BenchmarkWinnow(b *testing.B) {
	p := Default
	p.Winnow = 64
	benchmark(b, p, randomText(1, 1<<20))
}
