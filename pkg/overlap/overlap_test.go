package overlap

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/text"
)

func indexOf(t testing.TB, o Options, narrow uint64, fields ...string) *Index {
	it := NewItems(o, 1)
	for _, f := range fields {
		if err := it.Add([]byte(f)); err != nil {
			t.Fatal(err)
		}
	}
	return it.index(narrow)
}

// scanTexts returns the words of each window that Scan finds in a text.
func scanTexts(x *Index, in string) (all []string) {
	for _, h := range x.NewScanner(false).Scan(nil, []byte(in)) {
		all = append(all, string(x.Text(int(h.Window))))
	}
	slices.Sort(all)
	return all
}

// scanPlain is the oracle for scanTexts. It uses no index.
func scanPlain(o Options, fields []string, in string) (all []string) {
	w := newWords(o.Normalize)
	wanted := map[string]bool{}
	sizes := map[int]bool{}
	for _, f := range fields {
		words := strings.Split(string(w.spell(nil, []byte(f))), " ")
		n := min(len(words), o.Window)
		sizes[n] = true
		for i := range len(words) - n + 1 {
			wanted[strings.Join(words[i:i+n], " ")] = true
		}
	}
	words := strings.Split(string(w.spell(nil, []byte(in))), " ")
	for n := range sizes {
		for i := range max(0, len(words)-n+1) {
			if s := strings.Join(words[i:i+n], " "); wanted[s] && s != "" {
				all = append(all, s)
			}
		}
	}
	slices.Sort(all)
	return all
}

// TestScanPlain checks that Scan finds exactly the windows in the text, even if hashes collide.
func TestScanPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		o := Options{Window: 1 + r.IntN(14), Normalize: text.Normalization(r.IntN(4))}
		some := func(n int) string {
			words := make([]string, n)
			for i := range words {
				words[i] = []string{"a", "b", "Cé", "漢字", "ﬁ", "d-e", "½"}[r.IntN(7)]
			}
			return strings.Join(words, []string{" ", "\n", "\u00a0 "}[r.IntN(3)])
		}
		var fields []string
		for range 1 + r.IntN(6) {
			fields = append(fields, some(1+r.IntN(20)))
		}
		in := some(r.IntN(60)) + " " + fields[0]
		want := scanPlain(o, fields, in)
		for _, narrow := range []uint64{^uint64(0), 0xff, 0} {
			if d := cmp.Diff(want, scanTexts(indexOf(t, o, narrow, fields...), in)); d != "" {
				t.Fatalf("round %d, %+v, hashes of %x, %q in %q: %s", round, o, narrow, fields, in, d)
			}
		}
	}
}

// TestScanLong checks that a text read in parts has the same windows as the whole text.
func TestScanLong(t *testing.T) {
	o := Options{Window: 5, Normalize: text.Aggressive}
	in := strings.Repeat("some words that are nowhere else at all\n", 20000)
	cut := strings.Index(in[1<<18-100:], "nowhere") + 1<<18 - 100
	fields := []string{"one two three four five six", "short one"}
	for at := cut; at < cut+200; at += 40 {
		long := in[:at] + fields[0] + " " + fields[1] + " " + in[at:]
		want := []string{"one two three four five", "short one", "two three four five six"}
		if d := cmp.Diff(want, scanTexts(indexOf(t, o, ^uint64(0), fields...), long)); d != "" {
			t.Error(at, d)
		}
	}
}

// TestLocate checks that a hit has the position of its words in the text.
func TestLocate(t *testing.T) {
	o := Options{Window: 3, Normalize: text.Aggressive}
	x := indexOf(t, o, ^uint64(0), "one two three four", "漢字 かな", "of the art", "x")
	for in, want := range map[string][]string{
		`He said: "One, two – three; four!" `:                         {`"One, two – three;`, `two – three; four!"`},
		"一二漢字かな三四":                                                    {"漢字か", "字かな"},
		"state-of-the-art":                                            {"-of-the-art"},
		strings.Repeat("word ", 5000) + "ONE two\nTHREE":              {"ONE two\nTHREE"},
		strings.Repeat("w", 9000) + "-x-" + strings.Repeat("y", 9000): {"x-"},
		"\xff x \xfe": {"x"},
	} {
		var got []string
		for _, h := range x.NewScanner(true).Scan(nil, []byte(in)) {
			got = append(got, in[h.Start:h.End])
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%.40q: %s", in, d)
		}
	}
}

// FuzzScan checks that Scan finds and locates every field in a text that contains the field. If a
// text is not valid UTF-8, its normalised words can depend on where the text ends, so for such a
// text FuzzScan checks only positions.
func FuzzScan(f *testing.F) {
	f.Add("One two – three", "zero", byte(3), byte(3))
	f.Add("漢字ﬁ½ Ω\xff\u0301", "K", byte(2), byte(0))
	f.Fuzz(func(t *testing.T, field, around string, window, how byte) {
		o := Options{Window: 1 + int(window%16), Normalize: text.Normalization(how % 4)}
		it := NewItems(o, 1)
		if it.Add([]byte(field)) == ErrNoWords {
			return
		}
		x := it.Index()
		in := around + "\n" + field + "\n" + around
		hits := x.NewScanner(true).Scan(nil, []byte(in))
		valid := utf8.ValidString(field) && utf8.ValidString(around)
		if valid && len(distinct(hits)) != x.Windows() {
			t.Fatalf("%d of %d windows of %q in %q", len(distinct(hits)), x.Windows(), field, in)
		}
		for _, h := range hits {
			if h.Start < 0 || h.End < h.Start || h.End > len(in) {
				t.Fatalf("%q: hit at %d to %d", in, h.Start, h.End)
			}
			if part := it.words.spell(nil, []byte(in[h.Start:h.End])); valid && !bytes.Contains(part, x.Text(int(h.Window))) {
				t.Fatalf("%q is at %d to %d of %q, which is %q", x.Text(int(h.Window)), h.Start, h.End, in, part)
			}
		}
	})
}

// tallyLines returns the results of a tally, one line per field and per match.
func tallyLines(t *testing.T, x *Index, records ...string) (lines []string) {
	tally := x.NewTally()
	defer tally.Close()
	s := x.NewScanner(true)
	for i, r := range records {
		if err := tally.Add(Record{ID: fmt.Append(nil, i), Hits: s.Scan(nil, []byte(r))}); err != nil {
			t.Fatal(err)
		}
	}
	err := tally.Each(func(r *Record, matches []Match) error {
		for _, m := range matches {
			lines = append(lines, fmt.Sprintf("record %s has %d of field %d", r.ID, m.Matched, m.Field))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for f := range x.Len() {
		scored, coverage, in := tally.Best(f)
		r, err := tally.BestRecord(f)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("field %d: %.2f of %d in %d", f, coverage, scored, in)
		if r != nil {
			line += fmt.Sprintf(", most in %s: %s", r.ID, tally.Matched(nil, r, f))
		}
		lines = append(lines, line)
	}
	return lines
}

func TestTally(t *testing.T) {
	o := Options{Window: 2, Normalize: text.Balanced, DF: 2, Coverage: 0.5}
	x := indexOf(t, o, ^uint64(0), "a b c d e", "x", "q r", "a b z")
	got := tallyLines(t, x, "a b. Q r", "d e a b", "n", "c d e, x", "A, b")
	want := []string{
		"record 0 has 1 of field 2",
		"record 1 has 1 of field 0",
		"record 3 has 2 of field 0",
		"record 3 has 1 of field 1",
		"field 0: 0.67 of 3 in 1, most in 3: c d e", // "a b" is in three records, so it is common
		"field 1: 1.00 of 1 in 1, most in 3: x",
		"field 2: 1.00 of 1 in 1, most in 0: q r",
		"field 3: 0.00 of 1 in 0",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestTestDF checks that windows in too many test items are common, and that an item that contains
// a window twice counts only once.
func TestTestDF(t *testing.T) {
	o := Options{Window: 2, Normalize: text.Balanced, TestDF: 2, Coverage: 0.5}
	x := indexOf(t, o, ^uint64(0), "a b c", "a b d", "a b e", "f g f g f g", "f g")
	got := tallyLines(t, x, "a b", "a b d", "f g")
	want := []string{
		"record 1 has 1 of field 1",
		"record 2 has 3 of field 3",
		"record 2 has 1 of field 4",
		"field 0: 0.00 of 1 in 0",
		"field 1: 1.00 of 1 in 1, most in 1: b d",
		"field 2: 0.00 of 1 in 0",
		"field 3: 0.60 of 5 in 1, most in 2: f g … f g … f g",
		"field 4: 1.00 of 1 in 1, most in 2: f g",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestSpans(t *testing.T) {
	for _, c := range []struct {
		hits []Hit
		want []Span
	}{
		{nil, nil},
		{[]Hit{{0, 0, 10}, {1, 5, 15}, {2, 2, 4}}, []Span{{0, 15}}},
		{[]Hit{{0, 0, 10}, {1, 20, 30}}, []Span{{0, 30}}}, // the gap of 10 bytes is as long as each hit
		{[]Hit{{0, 0, 10}, {1, 21, 31}}, []Span{{0, 10}, {21, 31}}},
		{[]Hit{{1, 21, 31}, {0, 0, 10}}, []Span{{0, 10}, {21, 31}}},
	} {
		if d := cmp.Diff(c.want, Spans(c.hits)); d != "" {
			t.Errorf("%v: %s", c.hits, d)
		}
	}
}

// TestItems checks that Add rejects a field without words, and that Drop removes a field
// completely.
func TestItems(t *testing.T) {
	it := NewItems(Options{Window: 3, Normalize: text.Balanced}, 2)
	if err := it.Add([]byte("?!")); err != ErrNoWords {
		t.Error(err)
	}
	it.Add([]byte("one"))
	it.Add([]byte("two words"))
	it.Drop(1)
	it.Add([]byte("three"))
	if got := string(it.arena); got != "one\nthree\n" || it.Len() != 2 {
		t.Errorf("%q", got)
	}
}

func BenchmarkScan(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	vocabulary := make([]string, 20000)
	for i := range vocabulary {
		w := make([]byte, 2+r.IntN(8))
		for j := range w {
			w[j] = 'a' + byte(r.IntN(26))
		}
		vocabulary[i] = string(w)
	}
	made := func(n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = vocabulary[int(float64(len(vocabulary))*r.Float64()*r.Float64()*r.Float64())]
		}
		return strings.Join(words, " ")
	}
	var long, mixed []string
	for i := range 10000 {
		long = append(long, made(40))
		mixed = append(mixed, made(3+i%60))
	}
	texts, size := make([][]byte, 2000), 0
	for i := range texts {
		texts[i] = []byte(made(800))
		size += len(texts[i])
	}
	for name, items := range map[string][]string{"long": long, "short": mixed} {
		for _, how := range []text.Normalization{text.Balanced, text.Aggressive} {
			b.Run(fmt.Sprintf("%s/%v", name, how), func(b *testing.B) {
				s := indexOf(b, Options{Window: Default.Window, Normalize: how}, ^uint64(0), items...).NewScanner(false)
				b.SetBytes(int64(size))
				var hits []Hit
				for b.Loop() {
					for _, t := range texts {
						hits = s.Scan(hits[:0], t)
					}
				}
			})
		}
	}
}

// TestPromises checks what the manual promises: a Tally finds nearly all copies, including short
// copies and copies with changed words, but no common passages or templates.
func TestPromises(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	made := func(n int) []string {
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprintf("w%d", int(3000*r.Float64()*r.Float64()))
		}
		return words
	}
	x := NewItems(Default, 1)
	var records []string
	kinds := map[string][]int{}
	item := func(kind string, text, copied []string) {
		kinds[kind] = append(kinds[kind], x.Len())
		if err := x.Add([]byte(strings.Join(text, " "))); err != nil {
			t.Fatal(err)
		}
		if copied != nil {
			all := append(append(made(50), copied...), made(50)...)
			records = append(records, strings.Join(all, ", "))
		}
	}
	template, passage := made(40), made(60)
	for range 200 {
		long, short := made(20+r.IntN(70)), made(5+r.IntN(8))
		item("verbatim", long, long)
		item("short", short, short)
		long = made(20 + r.IntN(70))
		changed := slices.Clone(long)
		for at := 0; at < len(changed); at += 20 {
			changed[at+r.IntN(min(20, len(changed)-at))] = "other"
		}
		item("changed", long, changed)
		item("template", append(slices.Clone(template), made(10)...), nil)
		item("passage", append(slices.Clone(passage), made(5)...), nil)
	}
	for i := range 50 {
		records = append(records, strings.Join(append(made(30), passage...), " "))
		if i < 3 {
			records = append(records, strings.Join(append(made(30), template...), " "))
		}
	}
	index := x.Index()
	tally, s := index.NewTally(), index.NewScanner(false)
	defer tally.Close()
	for _, text := range records {
		if err := tally.Add(Record{Hits: s.Scan(nil, []byte(text))}); err != nil {
			t.Fatal(err)
		}
	}
	if err := tally.Each(func(*Record, []Match) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string][2]float64{"verbatim": {1, 1}, "short": {1, 1}, "changed": {0.95, 1}, "template": {0, 0}, "passage": {0, 0}} {
		found := 0
		for _, f := range kinds[kind] {
			if tally.Contaminated(f) {
				found++
			}
		}
		if share := float64(found) / float64(len(kinds[kind])); share < want[0] || share > want[1] {
			t.Errorf("%s: %.3f are found, want %v", kind, share, want)
		}
	}
}
