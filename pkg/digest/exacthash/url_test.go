package exacthash

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestAppendURL checks that URLs are normalised and that other texts are unchanged.
func TestAppendURL(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"HTTP://Example.COM", "http://example.com/"},
		{"http://example.com/", "http://example.com/"},
		{"http://example.com:80/A/b", "http://example.com/A/b"},
		{"http://example.com:/", "http://example.com/"},
		{"https://example.com:443/?", "https://example.com/"},
		{"https://example.com:80/", "https://example.com:80/"},
		{"http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"},
		{"http://example.com:8080/", "http://example.com:8080/"},
		{"ftp://User:Pass@example.com:21/f", "ftp://User:Pass@example.com/f"},
		{"https://example.com/a#part", "https://example.com/a"},
		{"https://example.com/#!/page", "https://example.com/"},
		{" https://example.com/a\n", "https://example.com/a"},
		{"https://example.com/?b=2&a=1", "https://example.com/?a=1&b=2"},
		{"https://example.com/?b=2&a=2&a=1", "https://example.com/?a=2&a=1&b=2"},
		{"https://example.com/?a&a=&&b", "https://example.com/?a&a=&b"},
		{"https://example.com/?utm_source=x&id=7&fbclid=y&UTM_Medium=z", "https://example.com/?id=7"},
		{"https://example.com/?gclid=x", "https://example.com/"},
		{"https://example.com/?gclid2=x&ref=y", "https://example.com/?gclid2=x&ref=y"},
		{"https://example.com/%7Ea/%C3%A9?q=%20+", "https://example.com/%7Ea/%C3%A9?q=%20+"},
		{"https://example.com/é b", "https://example.com/%C3%A9%20b"},
		{" https://example.com/?b &a b=c #d ", "https://example.com/?a%20b=c%20&b%20"},
		{"mailto:A@example.com", "mailto:A@example.com"},
		{"example.com/?utm_source=x", "example.com/?utm_source=x"},
		{"//Example.com/", "//Example.com/"},
		{"not a URL", "not a URL"},
		{"http://exa mple.com/#a", "http://exa mple.com/#a"},
		{"", ""},
	} {
		if got := string(AppendURL([]byte("> "), []byte(c.text))); got != "> "+c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if !slices.IsSorted(tracking) {
		t.Error("the list is not sorted, and is searched as if it were")
	}
}

// FuzzAppendURL checks that a normalised URL is valid, that normalising it again does not change
// it, and that only the documented parts of the original are dropped.
func FuzzAppendURL(f *testing.F) {
	for _, s := range []string{"HTTP://A.b:80/c?y=1&x=2&utm_a=3#d", "http://u:p@[::1]:443/%41?a=b&&a", "x://é/ü?ö", "http://a:/", "//a", "http://a%20b/", "c://0? #", "A://İ", "http://[::1%25A]:80/", "http://a%80/", "p://[::%25\xf9\xd5-A]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := AppendURL(nil, []byte(s))
		before, err := url.Parse(strings.Trim(s, "\t\n\v\f\r "))
		if err != nil || before.Scheme == "" || before.Host == "" || strings.Contains(before.Host, "%") || !strings.Contains(before.Host, "[") && strings.Count(before.Host, ":") > 1 {
			if string(got) != s {
				t.Fatalf("%q is no URL, and became %q", s, got)
			}
			return
		}
		if again := AppendURL(nil, got); !bytes.Equal(again, got) {
			t.Fatalf("%q became %q, and then %q", s, got, again)
		}
		after, err := url.Parse(string(got))
		if err != nil {
			t.Fatalf("%q became %q: %v", s, got, err)
		}
		if after.Scheme != before.Scheme || !strings.EqualFold(after.Hostname(), before.Hostname()) || after.Fragment != "" || after.User.String() != before.User.String() {
			t.Fatalf("%q became %q", s, got)
		}
		if after.Path != before.Path && (before.Path != "" || after.Path != "/") {
			t.Fatalf("%q became %q: path %q, want %q", s, got, after.Path, before.Path)
		}
		var want []string
		for p := range strings.SplitSeq(before.RawQuery, "&") {
			name, _, _ := strings.Cut(strings.ToLower(p), "=")
			if p != "" && !slices.Contains(tracking, name) && !strings.HasPrefix(name, "utm_") {
				want = append(want, strings.ReplaceAll(p, " ", "%20"))
			}
		}
		left := strings.FieldsFunc(after.RawQuery, func(r rune) bool { return r == '&' })
		slices.Sort(want)
		slices.Sort(left)
		if !slices.Equal(left, want) {
			t.Fatalf("%q became %q: parameters %q, want %q", s, got, left, want)
		}
	})
}
