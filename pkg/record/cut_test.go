package record

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func cut(t *testing.T, opt Options, raw, text string, ranges ...Range) (string, error) {
	t.Helper()
	c, err := NewCutter(opt)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Cut(nil, &Record{Raw: []byte(raw), Text: []byte(text)}, ranges)
	return string(got), err
}

func TestCut(t *testing.T) {
	field := Options{Fields: []string{"a.text"}}
	for _, c := range []struct {
		opt             Options
		raw, text, want string
		ranges          []Range
	}{
		{field, `{"a": {"text": "one\ntwo\n"} ,"b":[ 1 ]}`, "one\ntwo\n", `{"a": {"text": "two\n"} ,"b":[ 1 ]}`, []Range{{0, 4}}},
		{field, `{"a":{"text":"one\ntwo\n"}}`, "one\ntwo\n", `{"a":{"text":""}}`, []Range{{0, 4}, {4, 8}}},
		{field, `{"a":{"text":"\u00e9\ud83d\ude00x\tyz"}}`, "é😀x\tyz", `{"a":{"text":"\u00e9\tz"}}`, []Range{{2, 7}, {8, 9}}},
		{field, `{"a":{"text":"xyz"}}`, "xyz", `{"a":{"text":"xyz"}}`, nil},
		{Options{Lines: true}, `a\nb`, `a\nb`, `anb`, []Range{{1, 2}}},
		{Options{}, `{"x": 1}`, `{"x": 1}`, `{}`, []Range{{1, 7}}},
	} {
		got, err := cut(t, c.opt, c.raw, c.text, c.ranges...)
		if got != c.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", c.raw, got, err, c.want)
		}
	}
}

func TestCutErrors(t *testing.T) {
	if _, err := NewCutter(Options{Fields: []string{"a", "b"}}); err == nil {
		t.Error("two fields are no error")
	}
	field := Options{Fields: []string{"t"}}
	for want, r := range map[string]Range{"a part ends at byte 9 of a text of 3": {0, 9}, "inside an escape": {0, 1}} {
		if _, err := cut(t, field, `{"t":"\u00e9x"}`, "éx", r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", r, err, want)
		}
	}
	c, _ := NewCutter(field)
	if _, err := c.Cut(nil, &Record{Text: []byte("text")}, []Range{{0, 1}}); err == nil {
		t.Error("a row of Parquet is no error")
	}
}

// What is left decodes to what is left of the text.
func FuzzCut(f *testing.F) {
	f.Add("one\ntwo é \"three\"\u2028", 2, 9)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		raw, _ := json.Marshal(map[string]string{"t": text})
		var decoded struct{ T string }
		if err := json.Unmarshal(raw, &decoded); err != nil {
			t.Fatal(err)
		}
		text = decoded.T
		if start < 0 || end < start || end > len(text) || !utf8.ValidString(text[:start]) || !utf8.ValidString(text[end:]) {
			return
		}
		c, _ := NewCutter(Options{Fields: []string{"t"}})
		got, err := c.Cut(nil, &Record{Raw: raw, Text: []byte(text)}, []Range{{start, end}})
		if err != nil {
			t.Fatalf("%s, %d to %d: %v", raw, start, end, err)
		}
		if err := json.Unmarshal(got, &decoded); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		if want := text[:start] + text[end:]; decoded.T != want {
			t.Errorf("%s: %q, want %q", raw, decoded.T, want)
		}
	})
}
