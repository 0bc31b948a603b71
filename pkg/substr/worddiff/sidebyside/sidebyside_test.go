package sidebyside

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/substr"
)

// draw formats rows as text, with the shared spans in brackets.
func draw(rows []Row) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(spans(r.Left) + "|" + spans(r.Right) + "\n")
	}
	return b.String()
}

func spans(line []Span) (s string) {
	for _, p := range line {
		if p.Shared {
			s += "[" + p.Text + "]"
		} else {
			s += p.Text
		}
	}
	return s
}

func TestRows(t *testing.T) {
	for _, c := range []struct {
		a, b    string
		least   int
		columns int
		want    string
	}{
		{"", "", 1, 10, ""},
		{"the cat", "the hat", 2, 10, "[the ]c[at]|[the ]h[at]\n"},
		{"the cat", "the hat", 2, 4, "[the ]|[the ]\nc[at]|h[at]\n"},
		{"one\nsame\n", "three\nlines\nsame\n", 5, 10, "one|three\n|lines\n[same]|[same]\n"},
		{"a\nb\nsame\nx", "same\ny", 5, 10, "a|[same]\nb|\n[same]|\nx|y\n"},
		{"x", "", 1, 10, "x|\n"},
		{"漢字漢", "漢字", 1, 4, "[漢字]|[漢字]\n漢|\n"},
		{"e\u0301a", "ea", 1, 2, "[e]\u0301[a]|[ea]\n"},
		{"\x1b[31m\t\x7f\u202e", "", 1, 20, "␛[31m␉␡\ufffd|\n"},
	} {
		a, b := []rune(c.a), []rune(c.b)
		got := draw(Rows(a, b, substr.Blocks(a, b, c.least), c.columns))
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q and %q in %d columns (-want +got):\n%s", c.a, c.b, c.columns, d)
		}
	}
}

// FuzzRows checks that no line is wider than its column, and that no text is lost.
func FuzzRows(f *testing.F) {
	f.Add("the cat\nsat 漢字 in\n", "the cat sat\non 漢 in\n", uint8(3))
	f.Fuzz(func(t *testing.T, x, y string, columns uint8) {
		a, b := []rune(x), []rune(y)
		width := 2 + int(columns%40)
		var left, right int
		for _, r := range Rows(a, b, substr.Blocks(a, b, 1), width) {
			for _, line := range [][]Span{r.Left, r.Right} {
				w := 0
				for _, s := range line {
					w += s.Width
				}
				if w > width {
					t.Fatalf("%v is %d wide, not %d", line, w, width)
				}
			}
			left += runes(r.Left)
			right += runes(r.Right)
		}
		if want := len(a) - strings.Count(string(a), "\n"); left != want {
			t.Fatalf("%d of %d characters on the left", left, want)
		}
		if want := len(b) - strings.Count(string(b), "\n"); right != want {
			t.Fatalf("%d of %d characters on the right", right, want)
		}
	})
}

func runes(line []Span) (n int) {
	for _, s := range line {
		n += len([]rune(s.Text))
	}
	return n
}
