package jsonstr

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var escaped = regexp.MustCompile(`^\\(["\\/bfnrt]|u[0-9a-fA-F]{4})`)

// plain is a reference implementation of Skip that examines one byte at a time.
func plain(data []byte, i int) int {
	for i < len(data) && data[i] >= ' ' && data[i] != '"' {
		n := 1
		if data[i] == '\\' {
			if n = len(escaped.Find(data[i:])); n == 0 {
				return i
			}
		}
		i += n
	}
	return i
}

// TestSkip checks that Skip returns the same position as the function plain for every byte, alone
// and after a backslash, at every position of a long string.
func TestSkip(t *testing.T) {
	for _, head := range []string{"", `\`} {
		for n := range 110 {
			for b := range 256 {
				data := bytes.Repeat([]byte{'\xe9'}, 120)
				copy(data[n:], head+string([]byte{byte(b)}))
				if got, want := Skip(data, 0), plain(data, 0); got != want {
					t.Fatalf("%q%#x at %d: %d, want %d", head, b, n, got, want)
				}
			}
		}
	}
}

func FuzzSkip(f *testing.F) {
	f.Add([]byte(strings.Repeat(`Text of \"lines\",\n`, 9) + `\u00e9 and the end"`))
	f.Add([]byte(strings.Repeat(`\\`, 70) + `\`))
	f.Add([]byte(strings.Repeat(`\u0416\u0436 \u043g`, 9)))
	f.Add([]byte(strings.Repeat("a", 31) + `\n` + strings.Repeat("b", 30) + `\x`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for i := range min(len(data), 3) {
			if got, want := Skip(data, i), plain(data, i); got != want {
				t.Fatalf("%q from %d: %d, want %d", data, i, got, want)
			}
		}
	})
}

// loneSurrogate reports whether the content of a string has an escaped surrogate without its
// counterpart, which encoding/json replaces.
func loneSurrogate(s []byte) bool {
	pair := regexp.MustCompile(`(?i)\\u(d[89ab]..\\ud[c-f]..|[0-9a-f]{4}|.)|\\.`)
	return slices.ContainsFunc(pair.FindAll(s, -1), func(e []byte) bool { return len(e) == 6 && e[2]|0x20 == 'd' && e[3] >= '8' })
}

// TestUnescapeLone checks that a lone surrogate becomes its own three bytes, as in WTF-8.
func TestUnescapeLone(t *testing.T) {
	for s, want := range map[string]string{`a\ud834x`: "a\xed\xa0\xb4x", `\uDD1E`: "\xed\xb4\x9e", `\ud834\ud834\udd1e`: "\xed\xa0\xb4\U0001d11e"} {
		if got := string(Unescape(nil, []byte(s))); got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

func FuzzUnescape(f *testing.F) {
	f.Add([]byte(strings.Repeat(`Text of \"lines\",\n`, 9) + `\u00e9\ud834\udd1e\ud834x and the end`))
	f.Add([]byte(strings.Repeat(`\\`, 70)))
	f.Add([]byte(strings.Repeat(`\u00e9`, 20) + strings.Repeat(`\t`, 40)))
	f.Fuzz(func(t *testing.T, s []byte) {
		var want string
		if !utf8.Valid(s) || loneSurrogate(s) || json.Unmarshal([]byte(`"`+string(s)+`"`), &want) != nil {
			return // data is not a string, or has invalid UTF-8, which encoding/json would replace
		}
		for _, dst := range [][]byte{nil, []byte("before")} {
			if got := Unescape(dst, s); string(got) != string(dst)+want {
				t.Fatalf("%q: %q, want %q", s, got, string(dst)+want)
			}
		}
	})
}

// markdown is Markdown text with an escape about every forty bytes.
var markdown = []byte(strings.Repeat(`## Parameters\n\nThe name of the \"module\", as in a path\n- one of them\n- and the other, with what follows in a longer line of text\n`, 90) + `"`)

// russian is Russian text as Python writes it by default, with every letter escaped.
var russian = []byte(strings.Repeat(`\u0412\u0441\u0435 \u043b\u044e\u0434\u0438 \u0440\u043e\u0436\u0434\u0430\u044e\u0442\u0441\u044f `, 90) + `"`)

var texts = map[string][]byte{"markdown": markdown, "russian": russian}

func BenchmarkSkip(b *testing.B) {
	for name, data := range texts {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if Skip(data, 0) != len(data)-1 {
					b.Fatal("no end")
				}
			}
		})
	}
}

func BenchmarkUnescape(b *testing.B) {
	for name, data := range texts {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			var dst []byte
			for b.Loop() {
				dst = Unescape(dst[:0], data[:len(data)-1])
			}
		})
	}
}
