package cell

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestBound(t *testing.T) {
	for reason, want := range map[string]Bound{
		"score>=0.8":               {"score", ">=", 0.8},
		"score>=0.8,least=0.8123":  {"score", ">=", 0.8},
		"length<50":                {"length", "<", 50},
		"url_ratio<=1e-07":         {"url_ratio", "<=", 1e-7},
		"dup_line_fraction>0.3":    {"dup_line_fraction", ">", 0.3},
		"containment>=-0.25,least": {"containment", ">=", -0.25},
	} {
		got, ok := ParseBound([]byte(reason))
		if !ok || got != want {
			t.Errorf("%s: %v, %v", reason, got, ok)
		}
		if again, _, _ := strings.Cut(reason, ","); string(got.Append(nil)) != again {
			t.Errorf("%s is written %s", reason, got.Append(nil))
		}
	}
	for _, reason := range []string{"", "best", "duplicate,least=0.1", "language=fra", ">=0.8", "score>=", "score>=x", "a,b>=1"} {
		if b, ok := ParseBound([]byte(reason)); ok {
			t.Errorf("%q has the bound %v", reason, b)
		}
	}
}

func FuzzParseBound(f *testing.F) {
	f.Add("score>=0.8,least=0.8123")
	f.Add("length<1e400")
	f.Fuzz(func(t *testing.T, reason string) {
		b, ok := ParseBound([]byte(reason))
		if !ok {
			return
		}
		if again, ok := ParseBound(b.Append(nil)); !ok || again != b && b.Limit == b.Limit {
			t.Errorf("%q is %v, and that is read as %v, %v", reason, b, again, ok)
		}
	})
}

func FuzzAppendJSON(f *testing.F) {
	f.Add([]byte("a\"\\\x01\n\u2028\xff"))
	f.Add([]byte("\xed\xb2\x80é\xc3 eight or more"))
	f.Fuzz(func(t *testing.T, v []byte) {
		text := AppendJSON(nil, v)
		var got string
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if utf8.Valid(v) && got != string(v) {
			t.Errorf("%q comes back as %q", v, got)
		}
		if back, err := Unquote(text[1 : len(text)-1]); err != nil || string(back) != string(v) {
			t.Errorf("%q comes back as %q, %v", v, back, err)
		}
	})
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0", "-0.5e+7", "01", "1.", ".5", "", "-", "1e", "12.0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := json.Valid([]byte(s)) && strings.Trim(s, " \r\n\t") == s && strings.ContainsAny(s[:1], "-0123456789")
		if got := IsNumber([]byte(s)); got != want {
			t.Errorf("%q is a number: %v, want %v", s, got, want)
		}
	})
}
