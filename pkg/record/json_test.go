package record

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"doppel/pkg/record/jsonscan"
)

// scanOne scans one line for the paths and returns the texts of the values found.
func scanOne(line string, fields ...string) (values []string, err error) {
	p, err := newPaths(&Options{Fields: fields})
	if err != nil {
		return nil, err
	}
	s, rec := p.newScanner(), &Record{Raw: []byte(line)}
	if err := s.Scan([]byte(line), p.root); err != nil {
		return nil, err
	}
	b := Batch{has: make([]presence, len(fields))}
	for slot := range fields {
		v, err := p.field(&b, rec, s, slot)
		if err != nil {
			return nil, err
		}
		values = append(values, string(v))
	}
	return values, nil
}

func TestScan(t *testing.T) {
	for _, tc := range []struct{ line, field, want string }{
		{`{"text":"a"}`, "text", "a"},
		{` { "x" : [ 1 , {"text":"no"} ] , "text" : "a b" } `, "text", "a b"},
		{`{"text":"\u00e9\n\"\\\/\t\b\f\r"}`, "text", "é\n\"\\/\t\b\f\r"},
		{`{"text":"\ud83d\ude00 \ud83d x \ude00"}`, "text", "\U0001F600 \xed\xa0\xbd x \xed\xb8\x80"},
		{`{"text":"\ud83d\u0041"}`, "text", "\xed\xa0\xbdA"},
		{`{"text":"first","text":"last"}`, "text", "last"},
		{`{"meta":{"text":"first"},"meta":{"x":1,"text":"last"}}`, "meta.text", "last"},
		{`{"te\u0078t":"escaped key"}`, "text", "escaped key"},
		{`{"a.b":"dot"}`, `a\.b`, "dot"},
		{`{"text":"nul \u0000 and ` + "\xff" + `"}`, "text", "nul \x00 and \xff"},
		{`{"text":-1.5e+3}`, "text", "-1.5e+3"},
		{`{"text":true}`, "text", "true"},
	} {
		if got, err := scanOne(tc.line, tc.field); err != nil || got[0] != tc.want {
			t.Errorf("%s: %q, %v", tc.line, got, err)
		}
	}
	for line, want := range map[string]string{
		`{"x":1}`:                        `no field "text"`,
		`{"text":"a","text":null}`:       `field "text" is null, not a string`,
		`{"text":{}}`:                    `an object`,
		`{"text":[]}`:                    `an array`,
		`{"meta":{"text":"a"},"meta":1}`: `no field "text"`,
		`{"text":"a`:                     "unexpected end of line",
		`{"text":"a"} x`:                 `unexpected 'x' at byte 14`,
		`{"text":"a` + "\x01" + `"}`:     `unexpected '\x01'`,
		`{"text":"\x"}`:                  `unexpected 'x'`,
		`{"text":"\u12g4"}`:              `unexpected 'g'`,
		`{"text":01}`:                    "unexpected '0'",
		`{"text":1.}`:                    "unexpected",
		`{"a":tru}`:                      "unexpected '}'",
		``:                               "unexpected end of line",
		`{"a":[`:                         "unexpected end of line",
		`{"a":[ `:                        "unexpected end of line",
		`{"a":`:                          "unexpected end of line",
		`{`:                              "unexpected end of line",
	} {
		if got, err := scanOne(line, "text"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want %s", line, got, err, want)
		}
	}
}

// TestDepth checks that lines that are nested too deeply are rejected.
func TestDepth(t *testing.T) {
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	if _, err := scanOne(`{"text":"a","x":`+deep+`}`, "text"); err != nil {
		t.Error(err)
	}
	if _, err := scanOne(strings.Repeat(`[`, 1e6), "text"); err == nil {
		t.Error("a million brackets: no error")
	}
}

// FuzzScan compares the scanner with encoding/json: both accept the same lines and find the same
// text. The text of a number or a boolean is its literal. FuzzScan skips lines that are not UTF-8,
// because the scanner accepts them but encoding/json changes them.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{"text":"a\u00e9\ud83d\ude00\ud83d","x":[1,-2.5e3,true,null,{"y":[]}]}`, `{"text":"a","text":{"text":"b"}}`, `[1]`, `"x"`, `{}`, ` {"a" : 0.1E-2 } `,
		`{"text":"long ` + strings.Repeat("word ", 20) + `"}`, `{"text":01}`, `{"a":}`, "{\"text\":\"\t\"}",
		`{"text": -1.50e2 }`, `{"text":true}`, `{"text":null}`, `{"text":["a"]}`, `{"text":1,"text":{}}`, `{"text":1e400}`,
	} {
		f.Add([]byte(seed))
	}
	p, _ := newPaths(&Options{Fields: []string{"text"}})
	s := *jsonscan.NewScanner(2, false)
	f.Fuzz(func(t *testing.T, line []byte) {
		if !bytes.Equal(bytes.ToValidUTF8(line, nil), line) || notStandard.Match(line) {
			return
		}
		err := s.Scan(line, p.root)
		if (err == nil) != json.Valid(line) {
			t.Fatalf("%q: %v, encoding/json says %v", line, err, json.Valid(line))
		}
		var object map[string]json.RawMessage
		if err != nil || json.Unmarshal(line, &object) != nil {
			return
		}
		text, isText := textOf(t, object["text"])
		var b Batch
		if got, err := p.value(&b, &Record{Raw: line}, s.Spans[0], "text"); (err == nil) != isText && !isParts(object["text"]) || isText && string(got) != text {
			t.Errorf("%q: %q, %v, want %q", line, got, err, text)
		}
	})
}

// notStandard matches lines that encoding/json reads differently: with NaN or an infinity, which it
// rejects, or with a surrogate, which it replaces if it is alone.
var notStandard = regexp.MustCompile(`NaN|Infinity|\\u[dD][89a-fA-F]`)

// isParts reports whether a value is a list of objects with a type, which is a text.
func isParts(value json.RawMessage) bool {
	var parts []struct{ Type *string }
	return json.Unmarshal(value, &parts) == nil && len(parts) > 0
}

// textOf returns the text that encoding/json decodes from a value, and whether the value is a
// text.
func textOf(t *testing.T, value json.RawMessage) (string, bool) {
	if len(value) == 0 {
		return "", false
	}
	var decoded any
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if err := d.Decode(&decoded); err != nil {
		t.Fatal(err)
	}
	switch text := decoded.(type) {
	case string:
		return text, true
	case json.Number:
		return text.String(), true
	case bool:
		return string(value), true
	}
	return "", false
}

func BenchmarkScan(b *testing.B) {
	english := strings.Repeat(`It was the best of times, it was the \"worst\" of times.\n`, 55)
	line := []byte(`{"id":"0123456789abcdef","url":"http://example.org/a/page","text":"` + english + `","score":0.75}`)
	b.Run("scanner", func(b *testing.B) {
		p, _ := newPaths(&Options{Fields: []string{"text"}})
		s := *jsonscan.NewScanner(2, false)
		b.SetBytes(int64(len(line)))
		b.ReportAllocs()
		for b.Loop() {
			if s.Scan(line, p.root) != nil {
				b.Fatal("invalid")
			}
		}
	})
	b.Run("encoding/json.Valid", func(b *testing.B) {
		b.SetBytes(int64(len(line)))
		b.ReportAllocs()
		for b.Loop() {
			if !json.Valid(line) {
				b.Fatal("not valid")
			}
		}
	})
	b.Run("encoding/json.Unmarshal", func(b *testing.B) {
		b.SetBytes(int64(len(line)))
		b.ReportAllocs()
		var doc struct{ Text string }
		for b.Loop() {
			if err := json.Unmarshal(line, &doc); err != nil {
				b.Fatal(err)
			}
		}
	})
}
