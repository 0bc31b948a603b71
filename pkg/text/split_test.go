package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func parts(s Splitting, text string) (list []string) {
	for len(text) > 0 {
		n := s.Next([]byte(text))
		list = append(list, text[:n])
		text = text[n:]
	}
	return list
}

func TestSplitting(t *testing.T) {
	for _, c := range []struct{ text, byLine, byBlank string }{
		{"", "", ""},
		{"a", "a", "a"},
		{"a\nb", "a\n|b", "a\nb"},
		{"a\n\nb\n", "a\n\n|b\n", "a\n\n|b\n"},
		{"\n \n a\r\nb\r\n\r\n\t\nc", "\n \n a\r\n|b\r\n\r\n\t\n|c", "\n \n a\r\nb\r\n\r\n\t\n|c"},
		{"\n\n", "\n\n", "\n\n"},
		{"a\n\n\n", "a\n\n\n", "a\n\n\n"},
	} {
		for s, want := range map[Splitting]string{Unsplit: c.text, ByLine: c.byLine, ByBlank: c.byBlank} {
			if d := cmp.Diff(want, strings.Join(parts(s, c.text), "|")); d != "" {
				t.Errorf("%q, %q (-want +got):\n%s", s, c.text, d)
			}
		}
	}
}

// Parts are all of the text, and each has a line that is not blank, unless
// none has.
func FuzzSplitting(f *testing.F) {
	f.Add("one\ntwo\n\n\nthree\n", true)
	f.Fuzz(func(t *testing.T, text string, line bool) {
		s := ByBlank
		if line {
			s = ByLine
		}
		list := parts(s, text)
		if got := strings.Join(list, ""); got != text {
			t.Errorf("%q became %q", text, got)
		}
		for _, part := range list {
			if len(TrimBlank([]byte(part))) == 0 && len(list) > 1 {
				t.Errorf("%q has the blank part %q", text, part)
			}
		}
	})
}

func TestSplittingFlag(t *testing.T) {
	var s Splitting
	for _, bad := range []string{"", "words"} {
		if s.Set(bad) == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
	if err := s.Set("blank"); err != nil || s != ByBlank {
		t.Errorf("%v, %v", s, err)
	}
}
