package field

import (
	"strings"
	"testing"

	"doppel/pkg/record"
)

func TestPart(t *testing.T) {
	for _, c := range []struct {
		opt  record.Options
		want string
	}{
		{record.Options{Fields: []string{usual}}, ""},
		{record.Options{Fields: []string{"a"}, Lines: true}, ""},
		{record.Options{Fields: []string{"a"}, Names: true}, ""},
		{record.Options{Fields: []string{"a"}}, "/field=a"},
		{record.Options{Fields: []string{usual, "meta.title"}}, "/field=text,meta.title"},
		{record.Options{Fields: []string{"a/b,c d\t%é\xff", "[0]"}}, "/field=a%2Fb%2Cc%20d%09%25%C3%A9%FF,[0]"},
		{record.Options{Fields: []string{""}}, "/field="},
	} {
		got := Part(c.opt)
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.opt.Fields, got, c.want)
		}
		rest, part, err := Cut("m/x" + got)
		if rest != "m/x" || part != got || err != nil {
			t.Errorf("%s: %s %s %v", got, rest, part, err)
		}
	}
	for _, bad := range []string{"m/field=a%", "m/field=%4", "m/field=%41", "m/field=é", "m/field=a b", "m/field=text", "m/field=a/x", "m/field=%61", "m/field=a/field=b"} {
		if _, _, err := Cut(bad); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// FuzzPart checks that Cut reverses Part, and that different lists of fields have different
// parts.
func FuzzPart(f *testing.F) {
	f.Add("a", "b,c")
	f.Add("/field=", "\x00%2F\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		part := Part(record.Options{Fields: []string{a, b}})
		rest, again, err := Cut("m" + part)
		if rest != "m" || again != part || err != nil {
			t.Errorf("%q: %q %q %v", part, rest, again, err)
		}
		if strings.ContainsAny(part, "\t\n\r \\") || strings.Count(part, "/") != 1 {
			t.Errorf("%q: not a part", part)
		}
		if joined := Part(record.Options{Fields: []string{a + b}}); joined == part {
			t.Errorf("%q and %q are one: %q", []string{a, b}, a+b, part)
		}
	})
}
