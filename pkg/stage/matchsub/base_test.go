package matchsub

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"doppel/pkg/line"
	"doppel/pkg/substr"
)

// plainKnown is a simple implementation of cover: it searches the bases for every substring of the
// minimum length.
func plainKnown(text string, base []reference, least int) []bool {
	known := make([]bool, len(text))
	for i := 0; i+least <= len(text); i++ {
		for _, b := range base {
			if strings.Contains(string(b.text), text[i:i+least]) {
				for j := range least {
					known[i+j] = true
				}
			}
		}
	}
	return known
}

func letters(r *rand.Rand, n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = "ab"[r.IntN(2)]
	}
	return string(text)
}

// A piece of a maximal match counts only if no base contains it and it reaches the threshold. The
// summary counts each byte in such pieces once.
func TestBase(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		least := 2 + r.IntN(5)
		a, b := letters(r, r.IntN(60)), letters(r, r.IntN(60))
		base := []reference{{[]byte("x"), []byte(letters(r, r.IntN(20)))}, {[]byte("y"), []byte(letters(r, r.IntN(20)))}}
		o := Default()
		o.Threshold, o.AllMatches = least, true
		m := matcher[byte]{o: &o, base: base, codec: asBytes}
		known, err := m.cover([]byte(a))
		if err != nil || !slices.Equal(known, plainKnown(a, base, least)) {
			t.Fatalf("%s in %s and %s: %v, %v", a, base[0].text, base[1].text, known, err)
		}
		s := sides[byte]{a: []byte(a), b: []byte(b), known: known}
		inA, inB := make([]bool, len(a)), make([]bool, len(b))
		passages := int64(0)
		substr.Maximal(s.a, s.b, least, func(found substr.Match) error {
			for _, p := range s.cutBase([]substr.Match{found}, least) {
				passages++
				for i := range p.Size {
					if known[p.A+i] || a[p.A+i] != b[p.B+i] || p.Size < least {
						t.Fatalf("%s %s: %v", a, b, p)
					}
					inA[p.A+i], inB[p.B+i] = true, true
				}
			}
			return nil
		})
		want := line.Overlap{Passages: passages, SharedA: count(inA), SharedB: count(inB)}
		var got line.Overlap
		if out := m.summary(s).out; len(out) > 0 {
			if err := got.Parse(out[:len(out)-1]); err != nil {
				t.Fatal(err)
			}
		}
		if got.Passages != want.Passages || got.SharedA != want.SharedA || got.SharedB != want.SharedB {
			t.Errorf("%s %s: %+v, want %+v", a, b, got, want)
		}
	}
}

func count(in []bool) (n int64) {
	for _, is := range in {
		if is {
			n++
		}
	}
	return n
}

func TestLineNumber(t *testing.T) {
	text := []byte("one\ntwo\n\nfour")
	for at, want := range map[int64]int64{0: 1, 3: 1, 4: 2, 7: 2, 8: 3, 9: 4, 12: 4} {
		if got := lineNumber(lineEnds(text, nil), at); got != want {
			t.Errorf("offset %d: line %d, want %d", at, got, want)
		}
	}
}
