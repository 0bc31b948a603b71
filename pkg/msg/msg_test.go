package msg

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

func TestVisible(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain\n\ttext é 漢", "plain\n\ttext é 漢"},
		{"\x1b[31m\r\x00\x7f", "‹U+001B›[31m‹U+000D›‹U+0000›‹U+007F›"},
		{"a\u202eb\u2066c\u200bd\ufeff", "a‹U+202E›b‹U+2066›c‹U+200B›d‹U+FEFF›"},
		{"\u200d\u200c", "\u200d\u200c"},
		{"\xff\xc3(\ufffd", "‹xFF›‹xC3›(‹U+FFFD›"},
		{"\u0085\U000e0041", "‹U+0085›‹U+E0041›"},
	} {
		if got := Visible(c.in); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}
