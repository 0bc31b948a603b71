package worddiff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// draw writes runs as text: "[-a-]" and "{+b+}" for differences, and "…" for folded text.
func draw(runs []Run, a, b string) string {
	var s strings.Builder
	for _, r := range runs {
		switch r.Kind {
		case Equal:
			s.WriteString(a[r.A.Start:r.A.End])
		case A:
			s.WriteString("[-" + a[r.A.Start:r.A.End] + "-]")
		case B:
			s.WriteString("{+" + b[r.B.Start:r.B.End] + "+}")
		case Folded:
			s.WriteString("…")
		}
	}
	return s.String()
}

func TestRuns(t *testing.T) {
	line := strings.Repeat("a line of both texts ", 2) + "\n"
	for _, c := range []struct{ a, b, want string }{
		{"", "", ""},
		{"same", "same", "same"},
		{"one", "", "[-one-]"},
		{"", "two", "{+two+}"},
		{"one", "two", "[-one-]{+two+}"},
		{"the cat sat", "the hat sat", "the [-cat-]{+hat+} sat"},
		{"the cat sat", "the cat sat down", "the cat sat{+ down+}"},
		{"it was late, then", "it was late; then", "it was late[-,-]{+;+} then"},
		{"grew old here today now", "grew cold there today now", "grew [-old here-]{+cold there+} today now"},
		{"版本 一 二", "版本 三 二", "版本 [-一-]{+三+} 二"},
		{"東京都に住む人", "東京府に住む人", "東京[-都-]{+府+}に住む人"},
		{"e\u0301te\u0301 x", "e\u0301t x", "[-e\u0301te\u0301-]{+e\u0301t+} x"},
		{strings.Repeat("A", 80) + "B", strings.Repeat("A", 80) + "C", strings.Repeat("A", 80) + "[-B-]{+C+}"},
		{line + "x 1\n" + line, line + "x 2\n" + line, line + "x [-1-]{+2+}\n" + line},
		{"a\xffb", "a\xfeb", "a[-\xff-]{+\xfe+}b"},
		{"one two three", "three", "[-one two -]three"},
	} {
		if d := cmp.Diff(c.want, draw(Runs(c.a, c.b), c.a, c.b)); d != "" {
			t.Errorf("%q and %q (-want +got):\n%s", c.a, c.b, d)
		}
	}
}

func TestFold(t *testing.T) {
	words := func(n int) string { return strings.Repeat("word ", n) }
	for _, c := range []struct{ a, b, want string }{
		{words(9), words(9), "…"},
		{"x", "x", "x"},
		{words(2) + "x " + words(2), words(2) + "y " + words(2), words(2) + "[-x-]{+y+} " + words(2)},
		{words(20) + "x " + words(20), words(20) + "y " + words(20), "…" + words(2) + "[-x-]{+y+} " + words(2) + "…"},
		{"x " + words(20) + "x", "y " + words(20) + "y", "[-x-]{+y+} " + words(2) + "…" + words(2) + "[-x-]{+y+}"},
		{"x " + words(9) + "\n" + words(9) + "\nlast x", "y " + words(9) + "\n" + words(9) + "\nlast y", "[-x-]{+y+} " + words(2) + "…\nlast [-x-]{+y+}"},
		{"x" + strings.Repeat("é", 40) + "y", "v" + strings.Repeat("é", 40) + "w", "[-x-]{+v+}" + strings.Repeat("é", 5) + "…" + strings.Repeat("é", 5) + "[-y-]{+w+}"},
	} {
		if d := cmp.Diff(c.want, draw(Fold(Runs(c.a, c.b), c.a, 11), c.a, c.b)); d != "" {
			t.Errorf("%q and %q (-want +got):\n%s", c.a, c.b, d)
		}
	}
}

// FuzzRuns checks that the runs cover both texts in order, that equal runs have the same text, and
// that adjacent runs differ in kind.
func FuzzRuns(f *testing.F) {
	f.Add("the cat sat\non 東京 it\n", "the hat sat\non 東 it", 3)
	f.Add(strings.Repeat("a line of words\n", 9), strings.Repeat("a line of words\n", 7)+"b", 0)
	f.Add("\xff\x00\u202e", "\xfe", 1)
	f.Fuzz(func(t *testing.T, a, b string, keep int) {
		runs := Runs(a, b)
		check(t, runs, a, b)
		folded := Fold(runs, a, max(1, keep%50))
		check(t, folded, a, b)
		for i := 1; i < len(runs); i++ {
			if runs[i].Kind <= runs[i-1].Kind && runs[i].Kind != Equal || runs[i].Kind == runs[i-1].Kind {
				t.Errorf("kind %d follows %d", runs[i].Kind, runs[i-1].Kind)
			}
		}
	})
}

func check(t *testing.T, runs []Run, a, b string) {
	t.Helper()
	var endA, endB int
	for _, r := range runs {
		if r.A.Start != endA || r.B.Start != endB {
			t.Fatalf("%v does not stand at %d, %d", r, endA, endB)
		}
		endA, endB = r.A.End, r.B.End
		switch r.Kind {
		case A, B:
			if r.Kind == A && (r.B.Len() > 0 || r.A.Len() < 1) || r.Kind == B && (r.A.Len() > 0 || r.B.Len() < 1) {
				t.Fatalf("%v", r)
			}
		default:
			if a[r.A.Start:r.A.End] != b[r.B.Start:r.B.End] || r.A.Len() < 1 {
				t.Fatalf("%v is not equal", r)
			}
		}
	}
	if endA != len(a) || endB != len(b) {
		t.Fatalf("ends at %d of %d and %d of %d", endA, len(a), endB, len(b))
	}
}

// texts returns two texts of about size bytes each, made of random words with Zipf-distributed
// frequencies. In the second text, the given share of the words is replaced.
func texts(size, lineLength int, share float64) (string, string) {
	r := rand.New(rand.NewPCG(1, 2))
	z := rand.NewZipf(r, 1.1, 1, 20000)
	var a, b strings.Builder
	for inLine := 0; a.Len() < size; {
		w := fmt.Sprintf("w%x ", z.Uint64())
		if inLine += len(w); inLine > lineLength {
			w, inLine = w+"\n", 0
		}
		a.WriteString(w)
		if r.Float64() < share {
			w = fmt.Sprintf("v%x ", z.Uint64())
		}
		b.WriteString(w)
	}
	return a.String(), b.String()
}

func BenchmarkRuns(b *testing.B) {
	for _, c := range []struct {
		name  string
		line  int
		share float64
	}{{"lines/1%", 80, .01}, {"lines/20%", 80, .2}, {"long/1%", 1 << 30, .01}, {"long/20%", 1 << 30, .2}, {"long/100%", 1 << 30, 1}} {
		x, y := texts(1<<20, c.line, c.share)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(x) + len(y)))
			b.ReportAllocs()
			for b.Loop() {
				Runs(x, y)
			}
		})
	}
}
