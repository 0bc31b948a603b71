package quality

import (
	"regexp"
	"testing"
	"unicode/utf8"
)

// address matches the addresses that urlRatio counts. In Go's regular expressions, \b and \w match
// only ASCII, so the tests skip other texts.
var address = regexp.MustCompile(`(?i)\b(?:https?://|www\.)[^\s<>]+\b|\b\w+\.(?:com|org|net|edu|gov)\b`)

func checkURL(t *testing.T, s string) {
	for _, c := range s {
		if c >= utf8.RuneSelf || c == '\v' { // \s does not match VT
			return
		}
	}
	want := 0
	for _, m := range address.FindAllString(s, -1) {
		want += len(m)
	}
	var x Text
	x.Set([]byte(s))
	if got := urlRatio(&x); len(s) > 0 && got != ratio(want, len(s)) {
		t.Errorf("urlRatio(%q) = %v, want %d/%d", s, got, want, len(s))
	}
}

var urls = []string{
	"", "no address. None.", "see http://example.org/a?b=c, or HTTPS://x.y/.", "http://localhost/ http://) www.)",
	"<a href=http://a.b/c>www.d.e</a>", "foo.com/http://bar x.community y.com. a_b.net/x.org", "xhttp://a www.www.com.org",
	"http://a.b http://c", "...com .com a.comhttp://b.c", "a://b.com",
}

func TestURL(t *testing.T) {
	for _, s := range urls {
		checkURL(t, s)
	}
}

func FuzzURL(f *testing.F) {
	for _, s := range urls {
		f.Add(s)
	}
	f.Fuzz(checkURL)
}
