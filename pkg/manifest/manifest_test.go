package manifest

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

const sum = "99aa06d3014798d86001c324468d497f" // XXH3-128 of no bytes

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "not a manifest: unexpected end of JSON input",
		"[]":                             "not a manifest: json: cannot unmarshal array into Go value of type manifest.Manifest",
		`{"command":"fuzzy"}`:            `not a manifest: want a JSON object with the member "manifest"`,
		`{"manifest":2,"command":"x"}`:   "manifest of version 2: want version 1",
		`{"manifest":1}`:                 "the manifest names no command",
		`{"manifest":1,"command":"x"} 1`: "not a manifest: invalid character '1' after top-level value",
		`{"manifest":1,"command":"x","inputs":[{"name":"a","xxh3":"` + sum[1:] + `"}]}`:        `file "a" of the manifest: want a name, a size and a checksum of 32 digits`,
		`{"manifest":1,"command":"x","inputs":[{"name":"a","bytes":-1,"xxh3":"` + sum + `"}]}`: `file "a" of the manifest: want a name, a size and a checksum of 32 digits`,
		`{"manifest":1,"command":"x","outputs":[{"xxh3":"` + sum + `"}]}`:                      `file "" of the manifest: want a name, a size and a checksum of 32 digits`,
	} {
		if _, err := Parse([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if m, err := Parse([]byte(`{"manifest":1,"command":"fuzzy","later":[1]}`)); err != nil || m.Command != "fuzzy" {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestReadFrom(t *testing.T) {
	if _, err := ReadFrom(strings.NewReader(strings.Repeat(" ", 64<<20) + "{}")); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Error(err)
	}
}

// TestEncode checks that Parse restores what Encode writes, and that names that are not UTF-8 are an
// error.
func TestEncode(t *testing.T) {
	n, seed := int64(3), uint64(1<<64-1)
	m := &Manifest{
		Version: Version, Doppel: "1.0", Command: "fuzzy", Options: []string{"--field=<&>", "--id="}, Operands: []string{"a b", "-"}, Seed: &seed,
		Start: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Seconds: 1.5, Inputs: []File{{"", "a", "jsonl", 1 << 60, &n, sum}}, Outputs: []File{{"removed", "ä", "lines.zst", 0, nil, sum}},
	}
	text, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Parse(text); err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("%s: %v", text, err)
	}
	for option, want := range map[string][]string{"field": {"<&>"}, "id": {""}, "ids": nil} {
		if got, given := m.Values(option); !reflect.DeepEqual(got, want) || given != (want != nil) {
			t.Errorf("%s: %q", option, got)
		}
	}
	for _, broken := range []*string{&m.Options[0], &m.Operands[0], &m.Outputs[0].Name} {
		was := *broken
		*broken = "\xff"
		if _, err := m.Encode(); err == nil || err.Error() != `"\xff": a manifest cannot hold a name that is not UTF-8` {
			t.Error(err)
		}
		*broken = was
	}
}

// FuzzParse checks that a manifest that Parse accepts is the same after Encode and Parse.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"manifest":1,"command":"fuzzy","options":["--field=x"],"operands":["a"],"seed":7,"start":"2026-01-02T03:04:05Z","seconds":1e-3,"counts":{"a":1},"inputs":[{"name":"a","form":"jsonl","bytes":3,"records":0,"xxh3":"` + sum + `"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse(text)
		if err != nil {
			return
		}
		first, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(first)
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		if second, err := again.Encode(); err != nil || string(second) != string(first) {
			t.Errorf("%s\nthen %s: %v", first, second, err)
		}
	})
}
