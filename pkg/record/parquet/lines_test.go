package parquet

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/write"
)

// roundTrip writes JSON lines as Parquet and reads them back as lines.
func roundTrip(t *testing.T, lines string) (string, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.parquet")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := convert.NewLineWriter(f, &pq.Zstd, 2)
	for line := range strings.Lines(lines) {
		if err := w.WriteLine([]byte(strings.TrimSuffix(line, "\n"))); err != nil {
			return "", err
		}
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = writeLines(&out, []*os.File{f}, write.Selection{Keep: func(int64) bool { return true }})
	return out.String(), err
}

func TestRoundTrip(t *testing.T) {
	const lines = `{"a":1,"b":"x","c":[1.5,null,2.0],"d":{"e":true,"f":[{"g":"1"},{"g":null}]},"h":[[1,2],[],[3]]}
{"a":null,"b":"é\u0001","c":[],"d":null,"h":null}
{"a":-9007199254740993,"b":"","c":null,"d":{"e":null,"f":[]},"h":[]}
{"a":3,"b":null,"c":[7.0],"d":{"e":false,"f":null},"h":[[4]]}
`
	got, err := roundTrip(t, lines)
	if d := cmp.Diff(lines, got); d != "" || err != nil {
		t.Error(d, err)
	}
	// Each field of the objects in a list becomes a column that holds the values of all these
	// objects.
	const nested = `{"a":[{"b":[{"c":1,"d":"x"},{"c":2,"d":null}],"e":true},{"b":[],"e":false}],"f":1}
{"a":[{"b":null,"e":null},null,{"b":[{"c":3,"d":"y"}],"e":true}],"f":2}
`
	got, err = roundTrip(t, nested)
	if d := cmp.Diff(nested, got); d != "" || err != nil {
		t.Error(d, err)
	}
	// Missing fields become null. A column with integers and other numbers becomes a column of
	// doubles.
	got, err = roundTrip(t, "{\"b\":1}\n{\"a\":2.5,\"b\":0.5}\n")
	if want := "{\"a\":null,\"b\":1.0}\n{\"a\":2.5,\"b\":0.5}\n"; got != want || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// TestPlainLines checks that pages converted from lines have the encodings that doppel-records(5)
// names.
func TestPlainLines(t *testing.T) {
	var b bytes.Buffer
	w := convert.NewLineWriter(&b, &pq.Zstd, 2)
	for _, line := range []string{`{"a":"x","b":1,"c":[true,false],"d":{"e":1.5,"f":["y"]}}`, `{"a":null}`} {
		if err := w.WriteLine([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := pq.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	named := []format.Encoding{format.Plain, format.RLE, format.RLEDictionary}
	for _, c := range f.Metadata().RowGroups[0].Columns {
		for _, as := range c.MetaData.Encoding {
			if !slices.Contains(named, as) {
				t.Errorf("%v: %v", c.MetaData.PathInSchema, as)
			}
		}
	}
}

// maxNested is the maximum nesting depth of a value, counting the record as the first level.
const maxNested = 48

func nestedIn(open string, n int, end string) string {
	return `{"x":` + strings.Repeat(open, n-1) + "1" + strings.Repeat(end, n-1) + "}\n"
}

// TestNested checks that values with the maximum nesting depth survive a round trip.
func TestNested(t *testing.T) {
	for _, lines := range []string{nestedIn("[", maxNested, "]"), nestedIn(`{"a":`, maxNested, "}")} {
		if got, err := roundTrip(t, lines); got != lines || err != nil {
			t.Errorf("%s, %v, not %s", got, err, lines)
		}
	}
}

func TestNoSchema(t *testing.T) {
	for lines, want := range map[string]string{
		"{\"a\":1}\n{\"a\":\"x\"}\n":                  `record 2: field "a" is a string, but was a number before`,
		"{\"a\":{\"b\":[1]}}\n{\"a\":{\"b\":[true]}}": `record 2: field "a.b.[]" is a boolean, but was a number before`,
		"[1]\n":                                    "not a JSON object but an array",
		"\"x\"\n":                                  "not a JSON object but a string",
		"{\"a\":18446744073709551615}\n":           `field "a": 18446744073709551615 would lose digits`,
		"{\"a\":9007199254740993}\n{\"a\":.5}\n":   "record 2: invalid JSON: ",
		"{\"a\":9007199254740993}\n{\"a\":0.5}\n":  `record 2: field "a": 9007199254740993 would lose digits`,
		"{\"a\":0.5}\n{\"a\":[]}\n":                `an array, but was a number`,
		"{\"a\":0.5}\n{\"a\":-9007199254740993}\n": `record 2: field "a": -9007199254740993 would lose digits`,
		"{\"a\":[1e400]}\n":                        `field "a.[]": 1e400 is too large`,
		"{\"a\":\"\xff\"}\n":                       "record 1: not UTF-8",
		"{\"a\"\n":                                 "record 1: invalid JSON: ",
		"{\"a\":{}}\n":                             `field "a" has only empty objects`,
		"{}\n":                                     "needs a schema",
		"":                                         "needs a schema",
		nestedIn("[", maxNested+1, "]"):            "nested more than",
		nestedIn(`{"a":`, maxNested+1, "}"):        "nested more than",
	} {
		if _, err := roundTrip(t, lines); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", lines, err, want)
		}
	}
}

// TestLines checks that values of types that do not exist in JSON are written as strings.
func TestLines(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.parquet")
	writeDocs(t, name, docs(8), 5)
	var out bytes.Buffer
	err := writeLines(&out, []*os.File{mustOpen(t, name)}, write.Selection{Keep: func(i int64) bool { return i == 3 || i == 6 }})
	want := `{"id":30,"text":"text 3 é","lang":"en","when":"1970-01-01T00:00:03Z","price":"5.97","tags":["tag","tag","tag"],"meta":{"text":"meta 3","score":1.0},"some":{"x":3.0},"blob":"AwD/","flag":false}
{"id":60,"text":null,"lang":"en","when":"1970-01-01T00:00:06Z","price":"11.94","tags":["tag","tag"],"meta":{"text":"meta 6","score":null},"some":{"x":6.0},"blob":"BgD/","flag":null}
`
	if d := cmp.Diff(want, out.String()); d != "" || err != nil {
		t.Error(d, err)
	}
}

// TestWholeNumbers checks that 64-bit integers keep their values, and that a column of doubles
// keeps the integers that a double represents exactly.
func TestWholeNumbers(t *testing.T) {
	for _, lines := range []string{
		"{\"a\":9223372036854775807}\n{\"a\":-9223372036854775808}\n{\"a\":9007199254740993}\n",
		"{\"a\":9007199254740992.0}\n{\"a\":0.5}\n",
	} {
		got, err := roundTrip(t, lines)
		if got != lines || err != nil {
			t.Errorf("%s, %v, not %s", got, err, lines)
		}
	}
}
