package audit

import (
	"hash/maphash"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/jaccard"
	"doppel/pkg/text"
)

// likeness compares two texts by means of packages text and jaccard, as the audited programs do.
func likeness(o text.Options, a, b string) Likeness {
	s := text.NewSetShingler(o, nil)
	x, _ := jaccard.Set(s.Append(nil, []byte(a)), make([]uint64, len(a)+1))
	y, _ := jaccard.Set(s.Append(nil, []byte(b)), make([]uint64, len(b)+1))
	shared := max(0, jaccard.Shared(x, y, 0))
	return Likeness{shared, len(x) + len(y) - shared}
}

func (t *table) compare(a, b []uint64) Likeness {
	t.load(a)
	return t.likeness(len(a), b)
}

func optionsOf(n uint8) text.Options {
	unit := text.Words
	if n&4 != 0 {
		unit = text.Chars
	}
	return text.Options{Shingle: text.Shingling{Unit: unit, N: 1 + int(n>>3&3)}, Normalize: text.Normalization(n & 3)}
}

// FuzzLikeness checks that this package and the audited code, which is independent of it, find
// the same words and shingles.
func FuzzLikeness(f *testing.F) {
	texts := []string{
		"", " ", "a", "a b", "A b c a b c", "Straße 12 straße_12", "x\x00y\u00a0z", "ﬁne ﬁne ΑΒΓ αβγ", "漢字かな交じり文 and words",
		"\xff\xfe bad \xc3( bytes", "e\u0301 é É", "ไทย ไทยไทย", "\ufffd real", "İstanbul ıI", strings.Repeat("one two three ", 40), "a\u200bb\u2028c",
	}
	for i, a := range texts {
		for n := range uint8(32) {
			f.Add(a, texts[(i+int(n))%len(texts)], n)
		}
	}
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		o := optionsOf(n)
		p := NewPrinter(o, maphash.MakeSeed())
		var sets table
		got := sets.compare(p.Shingles(nil, []byte(a)), p.Shingles(nil, []byte(b)))
		if want := likeness(o, a, b); got != want {
			t.Errorf("%v: %q, %q: %v, want %v", o, a, b, got, want)
		}
		if got, want := string(p.Normalized([]byte(a))), string(text.NewShingler(o).Normalized(nil, []byte(a))); got != want {
			t.Errorf("%v: %q is normalised to %q, want %q", o, a, got, want)
		}
		if score := got.Score(); got.Union > 0 && score != jaccard.Resemblance.Score(got.Union, got.Shared, got.Shared) {
			t.Errorf("%v: score %d", got, score)
		}
	})
}

// TestWanted checks that Wanted returns true exactly for the records that occur in claims.
func TestWanted(t *testing.T) {
	whole := func(n int64) Part { return Part{n, 0, Whole} }
	c := Claims{All: []Claim{{Later: whole(9), Earlier: whole(2)}, {Later: whole(5), Earlier: Part{2, 3, 4}}, {Later: whole(9), Earlier: whole(5)}}}
	c.Arrange()
	var got []int64
	for n := range int64(12) {
		if c.Wanted(n) {
			got = append(got, n)
		}
	}
	if want := []int64{2, 5, 9}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if n := len(c.Needs); n != 3 {
		t.Errorf("%d needs: %v", n, c.Needs)
	}
}

// TestTwins checks the results of Twins against those of comparing all pairs.
func TestTwins(t *testing.T) {
	p := NewPrinter(text.Default, maphash.MakeSeed())
	texts := []string{"a b c d e f g h i j", "a b c d e f g h i k", "l m n o p q r", "", "a b c d e f g h i j", "l m n"}
	for _, values := range [][]uint64{{0, 0, 0, 0, 0, 0}, {1, 2, 1, 1, 1, 1}} {
		testTwins(t, p, texts, values)
	}
}

func testTwins(t *testing.T, p *Printer, texts []string, values []uint64) {
	w := Twins{Threshold: 0.7}
	sets := make([][]uint64, len(texts))
	for i, s := range texts {
		sets[i] = p.Shingles(nil, []byte(s))
		w.Add(int64(i), sets[i], values[i])
	}
	var pair table
	counts := make([]int32, len(sets))
	for i, set := range sets {
		var want []int32
		for j, other := range sets {
			if l := pair.compare(set, other); i != j && (values[i] == 0 || values[i] != values[j]) && l.Reaches(w.Threshold) {
				want = append(want, int32(j))
			}
		}
		got := w.Similar(nil, int64(i), set, values[i], counts)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%d is like %v, want %v", i, got, want)
		}
	}
}
