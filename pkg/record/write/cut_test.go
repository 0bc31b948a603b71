package write

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"doppel/pkg/record"
)

func cut(t *testing.T, opt record.Options, raw, text string, ranges ...Range) (string, error) {
	t.Helper()
	c, err := NewCutter(opt)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Cut(nil, &record.Record{Raw: []byte(raw), Text: []byte(text)}, ranges)
	return string(got), err
}

func TestCut(t *testing.T) {
	field := record.Options{Fields: []string{"a.text"}}
	for _, c := range []struct {
		opt             record.Options
		raw, text, want string
		ranges          []Range
	}{
		{field, `{"a": {"text": "one\ntwo\n"} ,"b":[ 1 ]}`, "one\ntwo\n", `{"a": {"text": "two\n"} ,"b":[ 1 ]}`, []Range{{0, 4}}},
		{field, `{"a":{"text":"one\ntwo\n"}}`, "one\ntwo\n", `{"a":{"text":""}}`, []Range{{0, 4}, {4, 8}}},
		{field, `{"a":{"text":"\u00e9\ud83d\ude00x\tyz"}}`, "é😀x\tyz", `{"a":{"text":"\u00e9\tz"}}`, []Range{{2, 7}, {8, 9}}},
		{field, `{"a":{"text":"xyz"}}`, "xyz", `{"a":{"text":"xyz"}}`, nil},
		{field, `{"a":{"text":"\u00e9x"}}`, "éx", `{"a":{"text":"\u00e9x"}}`, []Range{{0, 1}}},
		{field, `{"a":{"text":"ab\u6f22c"}}`, "ab漢c", `{"a":{"text":"\u6f22c"}}`, []Range{{0, 4}}},
		{field, `{"a":{"text":"ab\u6f22c"}}`, "ab漢c", `{"a":{"text":"ab\u6f22"}}`, []Range{{3, 6}}},
		{field, `{"a":{"text":"ab\u6f22c"}}`, "ab漢c", `{"a":{"text":"ac"}}`, []Range{{1, 3}, {3, 4}, {4, 5}}},
		{field, `{"a":{"text":"\ud83d\ude00\u6f22!"}}`, "😀漢!", `{"a":{"text":"\ud83d\ude00\u6f22"}}`, []Range{{2, 6}, {7, 8}}},
		{field, `{"a":{"text":"ab漢"}}`, "ab漢", "{\"a\":{\"text\":\"\xa2\"}}", []Range{{0, 4}}},
		{record.Options{Lines: true}, `a\nb`, `a\nb`, `anb`, []Range{{1, 2}}},
		{record.Options{}, `{"x": 1}`, `{"x": 1}`, `{}`, []Range{{1, 7}}},
	} {
		got, err := cut(t, c.opt, c.raw, c.text, c.ranges...)
		if got != c.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", c.raw, got, err, c.want)
		}
	}
}

func TestCutErrors(t *testing.T) {
	if _, err := NewCutter(record.Options{Fields: []string{"m[].c"}}); err == nil {
		t.Error("parts are cut out of joined texts")
	}
	if _, err := NewCutter(record.Options{Fields: []string{"a", "b"}}); err == nil {
		t.Error("two fields: no error")
	}
	field := record.Options{Fields: []string{"t"}}
	for want, r := range map[string]Range{"a part ends at byte 9, but the text has 3 bytes": {0, 9}} {
		if _, err := cut(t, field, `{"t":"\u00e9x"}`, "éx", r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", r, err, want)
		}
	}
	c, _ := NewCutter(field)
	if _, err := c.Cut(nil, &record.Record{Text: []byte("text")}, []Range{{0, 1}}); err == nil {
		t.Error("a row of Parquet: no error")
	}
}

// TestCutOracle checks that Cut removes exactly the bytes in the ranges, except that it removes an
// escape only if the ranges cover all the bytes that the escape encodes.
func TestCutOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	units := [][2]string{{"a", `\u0061`}, {"\n", `\n`}, {"é", `\u00e9`}, {"漢", `\u6f22`}, {"😀", `\ud83d\ude00`}, {"b", "b"}}
	for range 5000 {
		var raw, text, want string
		gone := make([]bool, 64)
		var ranges []Range
		for at := r.IntN(4); at < 40; {
			end := at + 1 + r.IntN(6)
			ranges = append(ranges, Range{at, end})
			for ; at < end; at++ {
				gone[at] = true
			}
			at += max(0, r.IntN(8)-2)
		}
		for len(text) < 50 {
			u := units[r.IntN(len(units))]
			form := u[r.IntN(2)]
			if u[0] == "\n" {
				form = u[1]
			}
			raw += form
			here := gone[len(text) : len(text)+len(u[0])]
			text += u[0]
			switch {
			case form == u[1] && form != u[0]:
				if slices.Contains(here, false) {
					want += form
				}
			default:
				for i := range here {
					if !here[i] {
						want += u[0][i : i+1]
					}
				}
			}
		}
		got, err := cut(t, record.Options{Fields: []string{"t"}}, `{"t":"`+raw+`"}`, text, ranges...)
		if want = `{"t":"` + want + `"}`; err != nil || got != want {
			t.Fatalf("%s without %v: %q, %v, want %q", raw, ranges, got, err, want)
		}
	}
}

// FuzzCut checks that a record from which a range was cut decodes to the rest of the text.
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
		c, _ := NewCutter(record.Options{Fields: []string{"t"}})
		got, err := c.Cut(nil, &record.Record{Raw: raw, Text: []byte(text)}, []Range{{start, end}})
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
