package report

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/msg"
)

// hostile is a text that tries to break out of the page.
const hostile = "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">\x1b[31m\u202egnp.exe\u2069 & \xff {{.}} </details></style>'\""

// sample returns a Page that has every section.
func sample() *Page {
	text := func(label, s string) *Text { return &Text{label, s, int64(len(s))} }
	lines := strings.Repeat("a line of both texts\n", 40)
	one := Comparison{Title: "0.9000: 1 (dropped) and 0 (kept)", A: text("0 · f:1", "one word\n"+lines+"end"), B: text("1 · f:2", "two words\n"+lines+"end"), Command: "printf '0\\t1\\n' | matchsub --show"}
	bad := Comparison{Title: hostile, A: text(hostile, hostile), B: text("x", "y"), Command: hostile}
	return &Page{
		Run:    Run{Command: "doppel fuzzy f", Chain: "recsign | lshpairs", Version: "1.0", Seconds: 2.84},
		Totals: Totals{Records: 1234567, Dropped: 1, Bytes: 5_000_000, DroppedBytes: 900, Groups: 1, LargestGroup: 2, Pairs: 3, Threshold: .8, Seed: 1, Unread: 2, Parts: 1, PartBytes: 10, Drawn: true},
		Scores: &Scores{.78, .02, []int64{1, 0, 5, 100000, 0, 0, 0, 0, 0, 0, 0, 7}, .8},
		Groups: []Comparison{one}, Near: []Comparison{one, bad},
		Places:  []*Places{{By: "file", Rows: []Place{{"f", 1234567, 1}, {hostile, 0, 0}}, Other: 3}},
		Reasons: []Reason{{"length<50", 1, []Comparison{{A: text("5 · f:6", "short")}}}, {"score>=0.8", 1, []Comparison{one}}},
	}
}

// overlapSample returns an OverlapPage that has every section.
func overlapSample() *OverlapPage {
	text := func(s string) *Text { return &Text{s, s, int64(len(s))} }
	return &OverlapPage{
		Run:     Run{Version: "1.0"},
		Records: 1234567, Overlapping: 1, Bytes: 5_000_000, OverlappingBytes: 900, Common: 7, Coverage: .35,
		Benchmarks: []Benchmark{{"quiz.jsonl", "text", 40, 2, .0138, .165, 1}, {hostile, hostile, 1, 0, 0, 1, 0}},
		Field:      hostile, Found: 5, Scores: &Scores{0, .05, []int64{3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}, .35},
		Near: []Comparison{{Title: "coverage 0.4000, in 1", A: text("one two three"), B: text("one 2 three")}, {Title: hostile, A: text(hostile), B: text("x")}},
	}
}

// An htmlPage is a Page or an OverlapPage.
type htmlPage interface{ Write(io.Writer) error }

func TestPages(t *testing.T) {
	for name, p := range map[string]htmlPage{"page": sample(), "overlap": overlapSample()} {
		var out, again bytes.Buffer
		if err := p.Write(&out); err != nil {
			t.Fatal(err)
		}
		if err := p.Write(&again); err != nil || again.String() != out.String() {
			t.Error(name, "a second page differs, or ", err)
		}
		golden := "testdata/" + name + ".html"
		if os.Getenv("UPDATE") != "" {
			os.WriteFile(golden, out.Bytes(), 0o644)
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), out.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		checkInert(t, out.String())
		checkNested(t, out.String())
	}
}

// checkInert checks that the page has no active content.
func checkInert(t *testing.T, page string) {
	t.Helper()
	for _, never := range []string{"<script", "<img", "http://", "https://", "url(", "@import", "\x1b", "\u202e", "ZgotmplZ"} {
		if strings.Contains(page, never) {
			t.Errorf("the page has %q", never)
		}
	}
	if !utf8.ValidString(page) {
		t.Error("the page is no UTF-8")
	}
}

// tag matches the tags of a page.
var tag = regexp.MustCompile(`<(/?)([a-z][a-z0-9]*)[^>]*?(/?)>`)

// checkNested checks that all tags are closed, and in the right order.
func checkNested(t *testing.T, page string) {
	t.Helper()
	var open []string
	for _, m := range tag.FindAllStringSubmatch(page, -1) {
		switch name := m[2]; {
		case name == "meta" || m[3] != "":
		case m[1] == "":
			open = append(open, name)
		case len(open) == 0 || open[len(open)-1] != name:
			t.Fatalf("</%s> in %v", name, open)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("open: %v", open)
	}
}

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Number(0), "0"}, {Number(999), "999"}, {Number(1000), "1,000"}, {Number(-1234567), "-1,234,567"},
		{percentOf(0, 0), "–"}, {percentOf(0, 5), "0.0 %"}, {percentOf(1, 100000), "<0.1 %"}, {percentOf(99999, 100000), ">99.9 %"}, {percentOf(5, 5), "100.0 %"}, {percentOf(1, 3), "33.3 %"},
		{countOf(1, "value"), "1 value"}, {countOf(2000, "value"), "2,000 values"},
		{seconds(.0042), "0.0042 seconds"}, {seconds(2.84), "2.8 seconds"}, {seconds(9.96), "10 seconds"}, {seconds(5400), "5400 seconds"},
		{byteCount(0), "0 B"}, {byteCount(999), "999 B"}, {byteCount(1000), "1.0 kB"}, {byteCount(9949), "9.9 kB"}, {byteCount(9950), "10 kB"}, {byteCount(999_600), "1.0 MB"}, {byteCount(3e12), "3.0 TB"}, {byteCount(3e16), "30000 TB"},
		{barWidth(1, 3), "33.3"}, {barWidth(1, 0), "100"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// formatRows formats rows, one per line, with "|" between the sides, brackets around differences,
// "=" before text that both sides have, and "+" before the number of folded lines.
func formatRows(all []row) string {
	var b strings.Builder
	side := func(spans []span) (s string) {
		for _, p := range spans {
			if p.Differ {
				s += "[" + p.Text + "]"
			} else {
				s += p.Text
			}
		}
		return strings.ReplaceAll(s, "\n", "/")
	}
	for _, r := range all {
		switch {
		case r.Folded:
			b.WriteString("+" + Number(int64(r.Lines)) + "\n")
		case len(r.A)+len(r.B) > 0:
			b.WriteString(side(r.A) + "|" + side(r.B) + "\n")
		case r.Both != "":
			b.WriteString("=" + strings.ReplaceAll(r.Both, "\n", "/") + "\n")
		default:
			b.WriteString("more " + Number(int64(r.More)) + "\n")
		}
	}
	return b.String()
}

func TestRows(t *testing.T) {
	many := strings.Repeat("a line of both texts\n", 40)
	long := strings.Repeat("words of both texts ", 40)
	for _, c := range []struct{ a, b, want string }{
		{"", "", ""},
		{"same", "same", "=same\n"},
		{"one\nsame\n", "two\nsame\n", "[one]/|[two]/\n=same/\n"},
		{"a same\r\nx", "b same\r\nx", "[a] same/|[b] same/\n=x\n"},
		{"x\r\n", "x\n", "x[‹U+000D›]/|x/\n"},
		{"1\n" + many + "2", "3\n" + many + "4", "[1]/|[3]/\n=" + strings.Repeat("a line of both texts/", 5) + "\n+30\n=" + strings.Repeat("a line of both texts/", 5) + "\n[2]|[4]\n"},
		{"1 " + long + "2", "3 " + long + "4", "[1] " + strings.Repeat("words of both texts ", 5) + "words of both |[3] " + strings.Repeat("words of both texts ", 5) + "words of both \n+0\n" + "of both texts " + strings.Repeat("words of both texts ", 5) + "[2]|of both texts " + strings.Repeat("words of both texts ", 5) + "[4]\n"},
	} {
		if d := cmp.Diff(c.want, formatRows(rows(c.a, c.b))); d != "" {
			t.Errorf("%q and %q (-want +got):\n%s", c.a, c.b, d)
		}
	}
}

// TestBound checks that a comparison takes at most 20,000 bytes of a page, whatever its texts are.
func TestBound(t *testing.T) {
	lines := func(s string) string { return strings.Repeat(s, MostText/len(s)) }
	for what, c := range map[string][2]string{
		"words":     {lines("x1 y2 z3 "), lines("p q r ")},
		"lines":     {lines("x\n"), lines("y\n")},
		"escapes":   {lines("\x00"), lines("\x01")},
		"entities":  {lines("<+'&"), lines("\"\"")},
		"bytes":     {lines("\xff\xfe"), lines("\xfd")},
		"folds":     {lines("1\n" + strings.Repeat("\x07both\n", 90)), lines("2\n" + strings.Repeat("\x07both\n", 90))},
		"alternate": {lines("a word that is in both\nx"), lines("a word that is in both\nq\n")},
		"equal":     {lines("same "), lines("same ")},
	} {
		one := Comparison{Title: c[0], A: &Text{c[0], c[0], MostText}, B: &Text{c[1], c[1], MostText}, Command: "x"}
		var bare, page bytes.Buffer
		if err := (&Page{}).Write(&bare); err != nil {
			t.Fatal(err)
		}
		if err := (&Page{Near: []Comparison{one}}).Write(&page); err != nil {
			t.Fatal(err)
		}
		if size := page.Len() - bare.Len(); size > 20_000 {
			t.Errorf("%s: a comparison takes %d bytes", what, size)
		}
	}
}

// FuzzRows checks that the rows have only visible characters, and that they contain both texts
// completely unless they say that something is left out.
func FuzzRows(f *testing.F) {
	f.Add("one\nsame\r\n", "two\nsame\r\n")
	f.Add(hostile, strings.Repeat("same ", 200)+hostile)
	f.Fuzz(func(t *testing.T, a, b string) {
		var left, right strings.Builder
		for _, r := range rows(a, b) {
			if r.More > 0 {
				return
			}
			left.WriteString(r.Both)
			right.WriteString(r.Both)
			for _, s := range r.A {
				left.WriteString(s.Text)
			}
			for _, s := range r.B {
				right.WriteString(s.Text)
			}
		}
		for got, want := range map[string]string{left.String(): a, right.String(): b} {
			if msg.Visible(got) != got {
				t.Errorf("%q is not visible", got)
			}
			if clean := strings.ReplaceAll(want, "\r", ""); strings.ReplaceAll(got, "‹U+000D›", "") != msg.Visible(clean) && utf8.ValidString(want) {
				t.Errorf("%q, want %q", got, msg.Visible(clean))
			}
		}
	})
}

// TestPlaces checks that only a limited number of places are counted separately, and that the
// largest are shown.
func TestPlaces(t *testing.T) {
	var p Places
	for i := range int64(mostValues) + 7 {
		p.Add(strconv.AppendInt(nil, i, 10), 2, i%3)
	}
	p.Add([]byte("5"), 1, 7)
	p.Fill(func(name string) string { return "at " + name })
	if len(p.Rows) != mostPlaces || p.Other != mostValues+1-mostPlaces {
		t.Errorf("%d rows, %d others", len(p.Rows), p.Other)
	}
	if want := []Place{{"at 5", 3, 9}, {"at …", 14, 7}, {"at 10001", 2, 2}}; !slices.Equal(p.Rows[:3], want) {
		t.Errorf("%v, want %v", p.Rows[:3], want)
	}
}
