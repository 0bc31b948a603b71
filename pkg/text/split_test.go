package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parts returns the start of a text before its first part, followed by the parts.
func parts(s Splitting, text string) []string {
	list, at := []string{text}, 0
	s.Each([]byte(text), 0, func(_ []byte, start, end int) {
		if at == 0 && len(list) == 1 {
			list[0], at = text[:start], start
		}
		list, at = append(list, text[at:end]), end
	})
	return list
}

func TestSplitting(t *testing.T) {
	for _, c := range []struct{ text, byLine, byBlank string }{
		{"", "", ""},
		{"a", "|a", "|a"},
		{"a\nb", "|a\n|b", "|a\nb"},
		{"a\n\nb\n", "|a\n\n|b\n", "|a\n\n|b\n"},
		{"\n \n a\r\nb\r\n\r\n\t\nc", "\n \n| a\r\n|b\r\n\r\n\t\n|c", "\n \n| a\r\nb\r\n\r\n\t\n|c"},
		{"\n\n", "\n\n", "\n\n"},
		{"a\n\n\n", "|a\n\n\n", "|a\n\n\n"},
	} {
		for s, want := range map[Splitting]string{ByLine: c.byLine, ByBlank: c.byBlank} {
			if d := cmp.Diff(want, strings.Join(parts(s, c.text), "|")); d != "" {
				t.Errorf("%q, %q (-want +got):\n%s", s, c.text, d)
			}
		}
	}
}

func TestByWords(t *testing.T) {
	for _, c := range []struct{ how, text, want string }{
		{"w1", "", ""},
		{"w1", "a", "|a"},
		{"w1", " a\tb\n\nc ", " |a\t|b\n\n|c "},
		{"w2", "a b c", "|a b |c"},
		{"w2", "a b c d", "|a b |c d"},
		{"w2", "  ", "  "},
		{"w9", "ä ö", "|ä ö"},
		{"w1", "\u3000a\u3000b\u00a0c\u2028", "\u3000|a\u3000|b\u00a0|c\u2028"},
		{"w2", "漢字、かな ab漢", "|漢字|、か|な ab|漢"},
		{"w1", "ก\u0e31น a\u0301 か\u3099", "|ก\u0e31|น |a\u0301 |か\u3099"},
		{"w1", "a\xff\xe3 b", "|a\xff\xe3 |b"},
	} {
		var s Splitting
		if err := s.Set(c.how); err != nil || s.String() != c.how {
			t.Fatalf("%s: %v, %v", c.how, s, err)
		}
		if got := strings.Join(parts(s, c.text), "|"); got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.how, c.text, got, c.want)
		}
	}
}

// TestBySentence checks that sentences end as defined by UAX 29, and that the white space and blank
// lines after a sentence belong to it.
func TestBySentence(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"One. Two! Three", "|One. |Two! |Three"},
		{"It cost 3.50 at i.e. the shop. Yes.", "|It cost 3.50 at i.e. the shop. |Yes."},
		{"He said \"Go.\" Then he went.", "|He said \"Go.\" |Then he went."},
		{"a line\nanother\r\n\r\n \n  last", "|a line\n|another\r\n\r\n \n|  last"},
		{"\n\nOne.\n\nTwo.", "\n\n|One.\n\n|Two."},
		{" \n  One.", " \n|  One."},
		{"これは文。次の文？終わり", "|これは文。|次の文？|終わり"},
		{" \n \n", " \n \n"},
		{"a.\x80 B.\xff", "|a.|\x80 B.|\xff"},
	} {
		if got := strings.Join(parts(BySentence, c.text), "|"); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestEachPart checks that Each skips short parts, and passes the positions of the others in the
// whole text.
func TestEachPart(t *testing.T) {
	var got []string
	ByLine.Each([]byte("one\n#\n\n  three \n"), 3, func(part []byte, start, end int) {
		got = append(got, fmt.Sprintf("%s %d-%d", part, start, end))
	})
	if d := cmp.Diff([]string{"one 0-4", "three 7-16"}, got); d != "" {
		t.Error(d)
	}
}

// FuzzSplitting checks that the parts and the start of the text before them add up to the text, that
// no part is blank, and that this start is blank.
func FuzzSplitting(f *testing.F) {
	f.Add("one\ntwo\n\n\nthree\n", uint8(0))
	f.Add(" \nOne. Two?\n\n \n3.5 i.e. \x80.\u2029B", uint8(2))
	f.Fuzz(func(t *testing.T, text string, how uint8) {
		for _, s := range []Splitting{ByLine + Splitting(how%3), byWords + 2} {
			list := parts(s, text)
			if got := strings.Join(list, ""); got != text {
				t.Errorf("%q became %q", text, got)
			}
			for i, part := range list {
				trim := trimBlank
				if s > byWords {
					trim = bytes.TrimSpace
				}
				if blank := len(trim([]byte(part))) == 0; blank != (i == 0) {
					t.Errorf("%q has the part %d %q", text, i, part)
				}
			}
		}
	})
}

func TestSplittingFlag(t *testing.T) {
	var s Splitting
	for _, bad := range []string{"", "words", "w", "w0", "w-1", "wx"} {
		if s.Set(bad) == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
	for name, want := range map[string]Splitting{"lines": ByLine, "paragraphs": ByBlank, "sentence": BySentence, "sentences": BySentence} {
		if err := s.Set(name); err != nil || s != want {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	if err := s.Set("blank"); err != nil || s != ByBlank {
		t.Errorf("%v, %v", s, err)
	}
}
