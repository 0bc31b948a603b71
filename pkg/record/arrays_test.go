package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"doppel/pkg/record/fieldpath"
)

func TestArrays(t *testing.T) {
	for _, tc := range []struct {
		line, field, want string
		absent            int
	}{
		{`{"m":[{"c":"a"},{"c":"b\n"},{"c":"\u00e9"}]}`, "m[].c", "a\nb\n\né", 0},
		{`{"m":[{"c":"a"},{"c":"b"}]}`, "m[1].c", "b", 0},
		{`{"m":[{"c":"a"},null,{},{"c":null},{"c":""},{"c":1.50},{"c":true}]}`, "m[].c", "a\n\n1.50\ntrue", 3},
		{`{"m":[{"c":""},{"c":"a"}]}`, "m[].c", "\na", 0},
		{`{"m":[]}`, "m[].c", "", 0},
		{`{"m":[]}`, "m[0].c", "", 1},
		{`{"m":[{"c":"a"}]}`, "m[1].c", "", 1},
		{`{"m":[null,{"c":"a"}]}`, "m[0].c", "", 1},
		{`{"m":["a",null,"b"]}`, "m[]", "a\nb", 1},
		{`{"m":[["a","b"],[],null,["c"]]}`, "m[][]", "a\nb\nc", 2},
		{`{"m":[["a","b"],["c"]]}`, "m[][1]", "b", 1},
		{`{"m":[["a","b"],["c"]]}`, "m[1][]", "c", 0},
		{`{"m":[["a","b"],["c"]]}`, "m[2][]", "", 1},
		{`{"m":[{"c":[{"t":"a"},{"t":"b"}]},{"c":[]},{"c":[{}, {"t":"c"}]}]}`, "m[].c[].t", "a\nb\nc", 2},
		{`{"a":{"m":[{"x":{"c":"a"}},{"x":null},{"x":{}}]}}`, "a.m[].x.c", "a", 2},
		{`{"m":[{"c":"a","c":"b"},{"c":"c","c":null},{"c":null,"c":"d"}]}`, "m[].c", "b\nd", 1},
		{`{"m":[{"c":"a"}],"m":[{"c":"b"}]}`, "m[].c", "b", 0},
		{`{"m":[{"c":["a"],"c":["b","c"]},{"c":["d"]}]}`, "m[].c[]", "b\nc\nd", 0},
		{`{"a":{"m":["x"]},"a":{"m":["y"]}}`, "a.m[]", "y", 0},
		{`{"m[0]":"key","m":["element"]}`, `m\[0]`, "key", 0},
		{`{"m[x]":"key"}`, `m[x]`, "key", 0},
		{`{"[0]":"key"}`, `[0]`, "key", 0},
	} {
		got, absent, err := arrayText(tc.line, tc.field)
		if err != nil || got != tc.want || absent != tc.absent {
			t.Errorf("%s of %s: %q, %d absent, %v, want %q, %d", tc.field, tc.line, got, absent, err, tc.want, tc.absent)
		}
	}
	for _, tc := range []struct{ line, field, want string }{
		{`{"x":1}`, "m[].c", `no field "m[].c"`},
		{`[]`, "m[].c", `no field "m[].c"`},
		{`{"m":null}`, "m[].c", `field "m[].c" leads into null, not an array`},
		{`{"m":{"c":"a"}}`, "m[].c", `leads into an object, not an array`},
		{`{"m":["a"]}`, "m[].c", `leads into a string, not an object`},
		{`{"m":[[]]}`, "m[].c", `leads into an array, not an object`},
		{`{"m":[{"c":1}]}`, "m[].c[]", `leads into a number, not an array`},
		{`{"m":[{"c":["a"]}]}`, "m[].c", `field "m[].c" is an array, not a string`},
		{`{"m":[{"c":"a"},{"c":{"d":"e"}}]}`, "m[].c", `field "m[].c" is an object, not a string`},
		{`{"m":[{"c":"a"}],"m":1}`, "m[].c", `leads into a number, not an array`},
		{`{"a":{"m":["x"]},"a":1}`, "a.m[]", `no field "a.m[]"`},
		{`{"m":[{"c":"a"}`, "m[].c", "unexpected end of line"},
		{`{"m":[{"c":"a"},]}`, "m[].c", "unexpected ']'"},
	} {
		if got, _, err := arrayText(tc.line, tc.field); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s of %s: %q, %v, want %s", tc.field, tc.line, got, err, tc.want)
		}
	}
	if got, err := scanOne(`{"m":[{"c":"a","r":"x"},{"c":"b","r":"y"}],"t":"z"}`, "m[].c", "t", "m[].r", "m[1].c"); err != nil || fmt.Sprint(got) != "[a\nb z x\ny b]" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := newPaths(&Options{Fields: []string{"t"}, ID: "m[0].c"}); err == nil {
		t.Error("an id is taken out of an array")
	}
}

// arrayText returns the text of a field of a line, and the number of absent values in this field.
func arrayText(line, field string) (string, int, error) {
	p, err := newPaths(&Options{Fields: []string{field}})
	if err != nil {
		return "", 0, err
	}
	s, b, rec := p.newScanner(), &Batch{has: make([]presence, 1)}, &Record{Raw: []byte(line)}
	if err := s.Scan(rec.Raw, p.root); err != nil {
		return "", 0, err
	}
	text, err := p.field(b, rec, s, 0)
	return string(text), rec.Absent, err
}

// replaceSurrogates replaces lone surrogates, which are three bytes of a text, as in WTF-8. So does
// encoding/json.
func replaceSurrogates(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == 0xed && i+2 < len(text) && text[i+1] >= 0xa0 {
			b.WriteString("\ufffd")
			i += 2
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// FuzzArrays checks that paths into arrays lead to the values that encoding/json decodes.
func FuzzArrays(f *testing.F) {
	for _, seed := range []string{
		`{"m":[{"c":"a"},null,{},{"c":null},{"c":"\ud83d\ude00"},{"c":1.50},{"c":true}]}`, `{"m":[{"c":["a",null]},{"c":[]}]}`,
		`{"m":[["a"],[{"c":"b"}]],"m":[{"c":"x","c":"y"}]}`, `{"m":null}`, `{"m":[[[]]]}`, `{"m":[{"c":"\ud800"},{"c":"\udc00x\ud801\udbff"}]}`, `{"m":{"c":["a"]}}`, `{"m":["a",1]}`, `[]`,
	} {
		for path := range arrayPaths {
			f.Add([]byte(seed), path)
		}
	}
	f.Fuzz(func(t *testing.T, line []byte, path int) {
		field := arrayPaths[uint(path)%uint(len(arrayPaths))]
		var value any
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if !bytes.Equal(bytes.ToValidUTF8(line, nil), line) || !json.Valid(line) || d.Decode(&value) != nil {
			return
		}
		var o oracle
		o.follow(value, fieldpath.Parse(field), true)
		text, absent, err := arrayText(string(line), field)
		text = replaceSurrogates(text)
		if (err != nil) != o.bad {
			t.Fatalf("%s of %q: %v, want an error: %v", field, line, err, o.bad)
		}
		if want := strings.Join(o.texts, "\n"); err == nil && (text != want || absent != o.absent) {
			t.Errorf("%s of %q: %q, %d absent, want %q, %d", field, line, text, absent, want, o.absent)
		}
	})
}

var arrayPaths = []string{"m[].c", "m[]", "m[1].c", "m[].c[]", "m[][]", "m[0][1]", "m[][0].c", "m.c[]", "m[1].c[].m"}

// An oracle follows a path in a value that encoding/json decoded.
type oracle struct {
	texts  []string
	absent int
	bad    bool
}

// follow collects the values in v to which the steps lead. outside is true if the path has not
// entered an array yet.
func (o *oracle) follow(v any, steps []fieldpath.Step, outside bool) {
	if v == nil {
		o.bad = o.bad || outside
		o.absent++
		return
	}
	if len(steps) == 0 {
		switch v := v.(type) {
		case string:
			o.texts = append(o.texts, v)
		case json.Number:
			o.texts = append(o.texts, v.String())
		case bool:
			o.texts = append(o.texts, fmt.Sprint(v))
		default:
			o.bad = true
		}
		return
	}
	step, rest := steps[0], steps[1:]
	object, isObject := v.(map[string]any)
	array, isArray := v.([]any)
	switch {
	case !step.Array && isObject:
		o.follow(object[step.Key], rest, outside)
	case !step.Array || !isArray:
		o.bad = true
	case step.At == fieldpath.All:
		if len(array) == 0 && !outside {
			o.absent++
		}
		for _, e := range array {
			o.follow(e, rest, false)
		}
	case step.At < len(array):
		o.follow(array[step.At], rest, false)
	default:
		o.absent++
	}
}
