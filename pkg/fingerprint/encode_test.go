package fingerprint

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// checkEncoding checks that a set survives encoding and decoding, and that Decode rejects the
// encoding without its last character.
func checkEncoding(t *testing.T, p Params, set []uint64) {
	t.Helper()
	const digest = 0xfedcba9876543210
	text := p.AppendEncoded(nil, set, digest)
	got, back, err := p.Decode(nil, text)
	if d := cmp.Diff(set, got); d != "" || err != nil || len(set) > 0 && back != digest {
		t.Fatalf("%v: %s came back differently: %v (-want +got):\n%s", p, text, err, d)
	}
	if _, _, err := p.Decode(nil, text[:len(text)-1]); err == nil {
		t.Fatalf("%v: %s was read without its last character", p, text)
	}
}

func TestEncoding(t *testing.T) {
	whole := Params{Winnow: 8}
	low, odd := Params{Criterion: LowBits(8)}, Params{Criterion: Criterion{0x8000000000000500, 0xf00000000000ff00}}
	for _, c := range []struct {
		p   Params
		set []uint64
	}{
		{whole, []uint64{0}},
		{whole, []uint64{math.MaxUint64}},
		{whole, []uint64{0, math.MaxUint64}},
		{whole, []uint64{0, 1, 2, 3, 4, 5, 6, 7, 1 << 40}},
		{whole, []uint64{math.MaxUint64 - 2, math.MaxUint64 - 1, math.MaxUint64}},
		{low, []uint64{0, 256, 1 << 63, math.MaxUint64 &^ 255}},
		{odd, []uint64{0x8000000000000500, 0x8000000000000501, 0x8fffffffffff05ff}},
		{Params{Criterion: Criterion{7, math.MaxUint64}}, []uint64{7}},
		{Params{Criterion: Criterion{7, 15}, Further: []Criterion{{3, 15}}}, []uint64{3, 7, 19, 23}},
		{Params{Criterion: Criterion{7, 15}, Further: []Criterion{{1, 3}, {0, 64}}}, []uint64{0, 1, 5, 7, 16}},
	} {
		checkEncoding(t, c.p, c.set)
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"-", "", "1:", "1:A", "1:AA", "0:AA", "01:AA", "2:AB", "999999999999999999:AA", "99999999999999999999:A",
		"1:6gAAAAAAAAAA", "1:_AAAAAAAAAAA", "1:A" + strings.Repeat("_", 40), "2:6__________________AAAA", "1:A*", "1:=A"} {
		f.Add([]byte(s), uint64(255))
	}
	f.Fuzz(func(t *testing.T, text []byte, mask uint64) {
		p := Params{Criterion: Criterion{Mask: mask}}
		set, digest, err := p.Decode(nil, text)
		if err != nil {
			return
		}
		if !slices.IsSorted(set) || len(slices.Compact(slices.Clone(set))) != len(set) {
			t.Errorf("%q: not a set: %x", text, set)
		}
		if again := p.AppendEncoded(nil, set, digest); string(again) != string(text) {
			t.Errorf("%q is read and written as %q", text, again)
		}
	})
}

func TestDecodeKeepsWhatWasThere(t *testing.T) {
	got, _, err := Default.Decode([]uint64{5}, []byte("2:AA_"))
	if err == nil || !slices.Equal(got, []uint64{5}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestParams(t *testing.T) {
	for _, c := range []struct{ scheme, rest, fails string }{
		{"sample/b50/p982451653/m2^64/c0:ff", "", ""},
		{"sample/b50/p982451653/m2^64/c0:ff/none", "none", ""},
		{"sample/b50/p7/m1000/w64/raw", "", ""},
		{"sample/b50/p7/m1000/c0:ff,1:1ff,5:f/raw/none", "none", ""},
		{"sample/b50/p7/m2^64/c0:ff,", "", "invalid sample scheme"},
		{"sample/b50/p7/m2^64/c0:ff,5:a", "", "no fingerprint can match"},
		{"sample/w8/p7/m2^1/c1:1/raw/balanced", "balanced", ""},
		{"sample/b50/p7/m1024/c0:ff", "", "invalid sample scheme"},
		{"sample/b050/p7/m2^64/c0:ff", "", "invalid sample scheme"},
		{"sample/b50/p7/m2^64/c0:ffx", "", "invalid sample scheme"},
		{"sample/b50/p7/m2^64", "", "invalid sample scheme"},
		{"sample//p7/m2^64/c0:ff", "", "invalid sample scheme"},
		{"sample/b50/p7/m2^64/", "", "invalid sample scheme"},
		{"minhash/h2/w3/128x32/s1/balanced", "", "invalid sample scheme"},
		{"sample/x50/p7/m2^64/c0:ff", "", "unit"},
		{"sample/b0/p7/m2^64/c0:ff", "", "window"},
		{"sample/b50/p8/m2^64/c0:ff", "", "prime 8: not a prime number"},
		{"sample/b50/p2/m2^64/c0:ff", "", "only the last 64 units of a window would count"},
		{"sample/b50/p2/m2^64/c0:ff/raw", "", ""},
		{"sample/b50/p7/m2^64/c5:a", "", "no fingerprint can match"},
		{"sample/b50/p7/m5/c5:f", "", "no fingerprint can match"},
		{"sample/b50/p7/m2^64/w100000", "", "winnow"},
	} {
		p, rest, err := ParseParams(c.scheme)
		switch {
		case c.fails != "":
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%s: %v, want %q", c.scheme, err, c.fails)
			}
		case err != nil || rest != c.rest || p.String() != strings.TrimSuffix(c.scheme, "/"+c.rest):
			t.Errorf("%s: %v, rest %q, %v", c.scheme, p, rest, err)
		}
	}
}

func TestParseCriterion(t *testing.T) {
	for _, c := range []struct {
		text string
		want Criterion
		ok   bool
	}{
		{"8", Criterion{0, 0xff}, true},
		{"0", Criterion{}, true},
		{"5/0xff", Criterion{5, 0xff}, true},
		{"0b101/7", Criterion{5, 7}, true},
		{"64", Criterion{}, false},
		{"-1", Criterion{}, false},
		{"", Criterion{}, false},
		{"5/", Criterion{}, false},
		{"x/7", Criterion{}, false},
	} {
		got, err := parseCriterion(c.text)
		if got != c.want || (err == nil) != c.ok {
			t.Errorf("%q: %v, %v", c.text, got, err)
		}
	}
}

func TestParseWindow(t *testing.T) {
	for _, c := range []struct {
		text string
		unit Unit
		n    int
		ok   bool
	}{
		{"50", Bytes, 50, true},
		{"b50", Bytes, 50, true},
		{"c5", Chars, 5, true},
		{"w8", Words, 8, true},
		{"x8", 'x', 8, true}, // Check rejects the unit
		{"", 0, 0, false},
		{"w", 0, 0, false},
		{"5w", 0, 0, false},
	} {
		unit, n, err := ParseWindow(c.text)
		if unit != c.unit || n != c.n || (err == nil) != c.ok {
			t.Errorf("%q: %c %d, %v", c.text, unit, n, err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	set := newSampler(b, Default).Append(nil, onePart([]byte(randomText(1, 1<<20))))
	text := Default.AppendEncoded(nil, set, 1)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		set, _, _ = Default.Decode(set[:0], text)
	}
}

func BenchmarkAppendEncoded(b *testing.B) {
	set := newSampler(b, Default).Append(nil, onePart([]byte(randomText(1, 1<<20))))
	text := Default.AppendEncoded(nil, set, 1)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		text = Default.AppendEncoded(text[:0], set, 1)
	}
}
