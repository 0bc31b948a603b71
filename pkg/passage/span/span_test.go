package span

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"doppel/pkg/passage"
	"doppel/pkg/text"
)

const length = 10

// repeatsOf returns at most n random repeats of one text, in ascending order. size is the number of
// units in the text.
func repeatsOf(r *rand.Rand, n, size int) (all []passage.Repeat) {
	for at := r.IntN(30); len(all) < n; {
		count := 1 + r.IntN(20)
		if at+count-1+length > size {
			return all
		}
		all = append(all, passage.Repeat{Record: 1, From: r.IntN(3), Start: at, FromStart: r.IntN(1000), Count: count, Copies: 2})
		at += count + r.IntN(40)*r.IntN(2)
	}
	return all
}

// marked is the oracle for union: it marks each unit that a repeat covers.
func marked(repeats []passage.Repeat, size int) []bool {
	m := make([]bool, size)
	for _, r := range repeats {
		for i := r.Start; i < r.End(length); i++ {
			m[i] = true
		}
	}
	return m
}

func marksOf(spans []Span, size int) []bool {
	m := make([]bool, size)
	for _, s := range spans {
		for i := s.Start; i < s.End; i++ {
			m[i] = true
		}
	}
	return m
}

func TestUnion(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		repeats := repeatsOf(r, 1+r.IntN(12), 400)
		got := union(nil, repeats, length)
		if !slices.Equal(marksOf(got, 400), marked(repeats, 400)) {
			t.Fatalf("%v: %v", repeats, got)
		}
		for i := range got[1:] {
			if got[i].End >= got[i+1].Start {
				t.Fatalf("%v touch", got)
			}
		}
	}
}

// plainBridge is the oracle for bridge: it tries all pairs.
func plainBridge(spans []Span, share float64, size int) []bool {
	m, all := marksOf(spans, size), marksOf(spans, size)
	for i := range spans {
		for j := i; j < len(spans); j++ {
			repeated, from, to := 0, spans[i].Start, spans[j].End
			for _, x := range m[from:to] {
				if x {
					repeated++
				}
			}
			if float64(repeated) >= share*float64(to-from)-slack {
				for k := from; k < to; k++ {
					all[k] = true
				}
			}
		}
	}
	return all
}

func TestBridge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		spans := union(nil, repeatsOf(r, 1+r.IntN(15), 600), length)
		for _, share := range []float64{.1, .5, .8, .95, 1} {
			want := plainBridge(spans, share, 600)
			got := marksOf(bridge(slices.Clone(spans), share), 600)
			if !slices.Equal(got, want) {
				t.Fatalf("%v at %v: %v", spans, share, bridge(slices.Clone(spans), share))
			}
		}
	}
}

// TestPieces checks that pieces cover their span without gaps, and that each piece is inside a
// repeat that has the same evidence as the piece.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		repeats := repeatsOf(r, 1+r.IntN(15), 600)
		m := marked(repeats, 600)
		s := Span{r.IntN(300), 300 + r.IntN(300)}
		at := s.Start
		for _, p := range pieces(nil, s, repeats, length, nil) {
			if p.Start != at || p.End <= at || !holds(p, repeats, m) {
				t.Fatalf("%v: piece %+v of %v", repeats, p, s)
			}
			at = p.End
		}
		if at != s.End {
			t.Fatalf("%v: pieces end at %d of %v", repeats, at, s)
		}
	}
}

// TestPeriod checks that a repeat with a period gives the same spans and pieces as separate
// repeats, one per period.
func TestPeriod(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var folded, plain []passage.Repeat
		for _, p := range repeatsOf(r, 1+r.IntN(15), 600) {
			times := 1 + r.IntN(3)*r.IntN(2)
			if n := len(folded); n > 0 && folded[n-1].Start+folded[n-1].Count > p.Start {
				continue
			}
			for n := range times {
				one := p
				one.Start += n * p.Count
				plain = append(plain, one)
			}
			if times > 1 {
				p.Period, p.Count = p.Count, times*p.Count
			}
			folded = append(folded, p)
		}
		if got, want := union(nil, folded, length), union(nil, plain, length); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, not %v", folded, got, want)
		}
		s := Span{r.IntN(300), 300 + r.IntN(300)}
		if got, want := pieces(nil, s, folded, length, nil), pieces(nil, s, plain, length, nil); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, not %v", folded, got, want)
		}
	}
}

// TestPiecesOfLetters checks that a piece ends between letters where the next one has evidence for
// the whole letter, and that only then a piece ends before its repeat.
func TestPiecesOfLetters(t *testing.T) {
	in := []byte(strings.Repeat("x", 12) + "\U0001d4b3" + strings.Repeat("y", 10)) // the letter is bytes 12 to 16
	for second, want := range map[int]int{10: 12, 12: 12, 13: 14, 14: 14} {
		repeats := []passage.Repeat{{Start: 4, FromStart: 104, Count: 1}, {From: 1, Start: second, FromStart: 200 + second, Count: 9}}
		got := pieces(nil, Span{4, 24}, repeats, 10, in)
		if len(got) < 2 || got[0].End != want || got[1].Start != want || got[0].To != 100+want || got[1].At != 200+want {
			t.Errorf("a second passage at %d: %+v", second, got)
		}
	}
}

func holds(p Piece, repeats []passage.Repeat, m []bool) bool {
	if p.From == None {
		return !slices.Contains(m[p.Start:p.End], true)
	}
	return slices.ContainsFunc(repeats, func(r passage.Repeat) bool {
		return r.From == p.From && r.Start <= p.Start && p.End <= r.End(length) && p.At-p.Start == r.FromStart-r.Start
	})
}

// TestLetters compares ofWord with package unicode for every ASCII character, and checks the
// function alone on letters of several scripts.
func TestLetters(t *testing.T) {
	for r := range rune(utf8.RuneSelf) {
		if got, want := ofWord(r), unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc); got != want {
			t.Errorf("%q: a word: %v", r, got)
		}
	}
	for r, want := range map[rune]bool{'a': false, 'ä': false, 'ა': false, '한': false, '漢': true, 'か': true, 'ก': true, 'က': true} {
		if alone(r) != want {
			t.Errorf("%q is a word alone: %v", r, !want)
		}
	}
}

// TestWithin checks that a span without a whole word becomes empty.
func TestWithin(t *testing.T) {
	c, err := NewCutter(Options{Scheme: passage.Scheme{Unit: passage.Words, Length: 3, Window: 2, Normalize: text.Balanced}})
	if err != nil {
		t.Fatal(err)
	}
	c.units.Set([]byte("one two three"))
	for _, tc := range []struct{ bytes, want Span }{
		{Span{0, 13}, Span{0, 3}}, {Span{1, 13}, Span{1, 3}}, {Span{0, 12}, Span{0, 2}}, {Span{1, 12}, Span{1, 2}}, {Span{4, 7}, Span{1, 2}},
		{Span{9, 13}, Span{3, 3}}, {Span{0, 2}, Span{0, 0}}, {Span{5, 6}, Span{2, 2}},
	} {
		if got := c.within(Span{0, 3}, tc.bytes); got != tc.want {
			t.Errorf("bytes %v hold the words %v, want %v", tc.bytes, got, tc.want)
		}
	}
}

func TestShrink(t *testing.T) {
	for _, c := range []struct {
		text, in string
		snap     Snap
		want     string
	}{
		{"one two three", "ne two thr", Byte, "ne two thr"},
		{"one two three", "ne two thr", Word, " two"}, // without the space, "one" and "three" would be joined
		{"one two three", "one two thr", Word, "one two "},
		{"one two three", "wo three", Word, " three"},
		{"one two three", "two", Word, "two"},
		{"one, two. three", " two. ", Word, " two. "},
		{"one.two three", ".two ", Word, ".two"},
		{"one two three", "w", Word, ""},
		{"one_two3 x", "two3 ", Word, ""},
		{"äöü", "\xa4ö\xc3", UTF8, "ö"},
		{"äöü", "\xa4\xc3", UTF8, ""},
		{"ä ö ü", "\xa4 ö \xc3", Word, " ö"},
		{"a\xb6\xb6b", "\xb6", UTF8, "\xb6"}, // the bytes are not UTF-8, so they are not a code point
		{"漢字かな", "\xad\x97かな", UTF8, "かな"},
		{"漢字かな", "字か", Word, "字か"},
		{"x e\u0301 y", " e", Word, ""}, // a mark stays with its letter
		{"a\nbb\ncc", "\nbb\ncc", Line, "bb\ncc"},
		{"a\nbb\ncc", "bb\nc", Line, "bb\n"},
		{"a\nbb\ncc", "bb", Line, ""},
		{"abc", "abc", Line, "abc"},
	} {
		start := bytes.Index([]byte(c.text), []byte(c.in))
		if start < 0 {
			t.Fatalf("%q is not in %q", c.in, c.text)
		}
		got, ok := c.snap.Shrink([]byte(c.text), Span{start, start + len(c.in)})
		if ok != (c.want != "") || ok && c.text[got.Start:got.End] != c.want {
			t.Errorf("%v: of %q in %q stays %q, not %q", c.snap, c.in, c.text, c.text[got.Start:got.End], c.want)
		}
	}
}

func FuzzShrink(f *testing.F) {
	f.Add([]byte("ä one\xff two\n漢字 e\u0301x"), 1, 12)
	f.Fuzz(func(t *testing.T, in []byte, a, b int) {
		if a < 0 || b < a || b > len(in) {
			return
		}
		whole := utf8.Valid(in)
		last := Span{a, b}
		for _, snap := range []Snap{Byte, UTF8, Word} {
			got, ok := snap.Shrink(in, Span{a, b})
			if !ok {
				last = Span{a, a}
				continue
			}
			if got.Start < last.Start || got.End > last.End {
				t.Fatalf("%v widens %v to %v", snap, last, got)
			}
			if whole && snap >= UTF8 && !utf8.Valid(in[got.Start:got.End]) {
				t.Fatalf("%v cuts a letter: %q", snap, in[got.Start:got.End])
			}
			last = got
		}
	})
}

// cutsOf returns the cuts of a record, which must not fail.
func cutsOf(t *testing.T, c *Cutter, text []byte, repeats []passage.Repeat) Cuts {
	t.Helper()
	cuts, err := c.Cuts(text, repeats)
	if err != nil {
		t.Fatal(err)
	}
	return cuts
}

// TestCutterOfChanged checks that a text that is too short for its repeats is an error, for each
// unit and each place where a cut may end.
func TestCutterOfChanged(t *testing.T) {
	in := []byte("Keep this: a pässage,\nthat stands\n-- twice! Keep that.")
	for _, s := range []passage.Scheme{
		{Unit: passage.Bytes, Length: 10, Window: 5},
		{Unit: passage.Words, Length: 3, Window: 2, Normalize: text.Balanced},
	} {
		units := passage.NewUnits(s)
		units.Set(in)
		end := units.Len()
		for snap := Byte; snap <= Line; snap++ {
			c := newCutter(t, Options{Scheme: s, Snap: snap, Bridge: .5})
			repeats := []passage.Repeat{{Record: 1, Start: end - s.Length - 1, Count: 2, Copies: 2}}
			if _, err := c.Cuts(in, repeats); err != nil {
				t.Errorf("%v, %v: %v", s, snap, err)
			}
			for n := range in {
				units.Set(in[:n])
				if _, err := c.Cuts(in[:n], repeats); units.Len() < end && err != passage.ErrChanged {
					t.Errorf("%v, %v, %d bytes: %v, want %v", s, snap, n, err, passage.ErrChanged)
				}
			}
		}
	}
}

func newCutter(t *testing.T, o Options) *Cutter {
	c, err := NewCutter(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCutter(t *testing.T) {
	in := []byte("keep this passage stands twice. keep that")
	repeats := []passage.Repeat{{Record: 1, From: 0, Start: 8, FromStart: 108, Count: 17, Copies: 2}}
	s := passage.Scheme{Unit: passage.Bytes, Length: length, Window: 5}
	c := newCutter(t, Options{Scheme: s, Snap: Word})
	got := cutsOf(t, c, in, repeats)
	if len(got.Cuts) != 1 || string(in[got.Cuts[0].Start:got.Cuts[0].End]) != " passage stands twice." {
		t.Fatalf("%+v", got)
	}
	want := Piece{got.Cuts[0].Span, 0, 108 + got.Cuts[0].Start - 8, 108 + got.Cuts[0].End - 8, 2}
	if p := got.Cuts[0].Pieces; len(p) != 1 || p[0] != want {
		t.Errorf("pieces %+v, not %+v", p, want)
	}
	if got := cutsOf(t, c, []byte("x"), nil); len(got.Cuts) > 0 {
		t.Errorf("a short record without repeats: %+v", got)
	}
}

func TestCutterOfWords(t *testing.T) {
	in := []byte("Keep this: a PASSAGE,\n that stands -- twice! Keep that.")
	s := passage.Scheme{Unit: passage.Words, Length: 3, Window: 2, Normalize: text.Balanced}
	c := newCutter(t, Options{Scheme: s, Snap: Word})
	got := cutsOf(t, c, in, []passage.Repeat{
		{Record: 1, From: 0, Start: 2, FromStart: 7, Count: 1, Copies: 2},
		{Record: 1, From: 0, Start: 4, FromStart: 70, Count: 1, Copies: 3},
	})
	if len(got.Cuts) != 1 || string(in[got.Cuts[0].Start:got.Cuts[0].End]) != "a PASSAGE,\n that stands -- twice" {
		t.Fatalf("%+v", got)
	}
	p := got.Cuts[0].Pieces
	if len(p) != 2 || p[0].At != 7 || p[0].To != 10 || p[1].At != 71 || p[1].To != 73 || p[0].End != p[1].Start || p[1].End != got.Cuts[0].End {
		t.Errorf("pieces %+v", p)
	}
}

// TestCutterOfLines checks that after a span is shrunk to whole lines, the pieces cover exactly the
// remaining words, and that a span without remaining words is not cut.
func TestCutterOfLines(t *testing.T) {
	s := passage.Scheme{Unit: passage.Words, Length: 3, Window: 2, Normalize: text.Balanced}
	c := newCutter(t, Options{Scheme: s, Snap: Line})
	repeats := []passage.Repeat{{Record: 1, From: 0, Start: 1, FromStart: 7, Count: 2, Copies: 2}}
	got := cutsOf(t, c, []byte("x a\nb, c\nd y"), repeats)
	want := Piece{Span{4, 9}, 0, 8, 10, 2}
	if len(got.Cuts) != 1 || len(got.Cuts[0].Pieces) != 1 || got.Cuts[0].Pieces[0] != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	if got := cutsOf(t, c, []byte("x a b\n\nc d y"), repeats); len(got.Cuts) > 0 {
		t.Errorf("no word is in %+v", got)
	}
}

func TestCheck(t *testing.T) {
	s := passage.Scheme{Unit: passage.Bytes, Length: length, Window: 5}
	for _, o := range []Options{{}, {Scheme: s, Bridge: -1}, {Scheme: s, Bridge: 1.1}} {
		if _, err := NewCutter(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	var snap Snap
	if snap.Set("word") != nil || snap != Word || snap.Set("letter") == nil || snap.String() != "word" {
		t.Error("names of snaps")
	}
}
