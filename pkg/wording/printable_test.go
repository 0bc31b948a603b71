package wording

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ in, printable, graphic string }{
		{"plain \"漢\" 😀 \\", "plain \"漢\" 😀 \\", "plain \"漢\" 😀 \\"},
		{"\x1b[31m", `\x1b[31m`, `\x1b[31m`},
		{"a\u202eb", "a\u202eb", `a\u202eb`},
		{"\xff\n", `\xff\n`, `\xff\n`},
		{"\ufffd", "\ufffd", "\ufffd"},
	} {
		if got := Printable(c.in); got != c.printable {
			t.Errorf("%q: %s, want %s", c.in, got, c.printable)
		}
		if got := Graphic(c.in); got != c.graphic {
			t.Errorf("%q, graphic: %s, want %s", c.in, got, c.graphic)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("\x1b[31m\u202e\xff漢")
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range Graphic(s) {
			if !unicode.IsGraphic(r) || !utf8.ValidRune(r) {
				t.Errorf("%q is shown with %q", s, r)
			}
		}
		for _, r := range Printable(s) {
			if unicode.IsControl(r) || !utf8.ValidRune(r) {
				t.Errorf("%q is printed with %q", s, r)
			}
		}
	})
}
