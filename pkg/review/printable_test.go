package review

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain \"漢\" 😀 \\": "plain \"漢\" 😀 \\", "\x1b[31m": `\x1b[31m`, "a\u202eb": `a\u202eb`, "\xff\n": `\xff\n`, "\ufffd": "\ufffd",
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("\x1b[31m\u202e\xff漢")
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range Printable(s) {
			if !unicode.IsGraphic(r) || !utf8.ValidRune(r) {
				t.Errorf("%q is shown with %q", s, r)
			}
		}
	})
}
