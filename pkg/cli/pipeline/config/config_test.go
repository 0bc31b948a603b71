package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const asYAML = `
# a whole pipeline
input: {path: "raw.jsonl.gz"}
output:
  compression: none          # none | gzip | zstd
deduplication:
  exact: {}
  fuzzy:
    threshold: 0.85
    field: ~
filters:
  language:
    allowed_languages: ["eng", "code"]
  quality:
    reject_html: true
    note: |
      two
      lines
`

const asTOML = `
[input]
path = "raw.jsonl.gz"
[output]
compression = 'none'
[deduplication.exact]
[deduplication.fuzzy]
threshold = 0.85
[filters]
language.allowed_languages = ["eng", "code"]
quality = {reject_html = true, note = """
two
lines
"""}
`

// formatted formats the settings of a file as strings, without their line numbers.
func formatted(f *File) (all []string) {
	for _, s := range f.Settings {
		if s.Section {
			all = append(all, s.Key)
		} else {
			all = append(all, fmt.Sprintf("%s=%q", s.Key, s.Values))
		}
	}
	return all
}

func TestParse(t *testing.T) {
	const languages, html, note = `filters.language.allowed_languages=["eng" "code"]`, `filters.quality.reject_html=["true"]`, `filters.quality.note=["two\nlines\n"]`
	for name, want := range map[string][]string{
		"a.yaml": {"input", `input.path=["raw.jsonl.gz"]`, "output", `output.compression=["none"]`, "deduplication", "deduplication.exact",
			"deduplication.fuzzy", `deduplication.fuzzy.threshold=["0.85"]`, `deduplication.fuzzy.field=[]`,
			"filters", "filters.language", languages, "filters.quality", html, note},
		"a.toml": {"input", `input.path=["raw.jsonl.gz"]`, "output", `output.compression=["none"]`, "deduplication", "deduplication.exact",
			"deduplication.fuzzy", `deduplication.fuzzy.threshold=["0.85"]`,
			"filters", "filters.language", languages, "filters.quality", html, note},
	} {
		text := asYAML
		if name == "a.toml" {
			text = asTOML
		}
		f, err := Parse(name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(want, formatted(f)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// keys holds the keys that are valid in TestMistakes.
var keys = Keys{
	"filters": nil, "filters.quality": nil, "input": nil, "output": nil,
	"filters.quality.min_length": func(v []string) error {
		if v[0] == "bad" {
			return errors.New("bad is bad")
		}
		return nil
	},
	"filters.quality.max_length": func([]string) error { return nil },
}

// TestMistakes checks that the error for an invalid file names the line at fault.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, err, hint string }{
		{"a.yaml", "filters:\n  quality:\n    min_lenght: 3\n", `a.yaml:3: unknown key "min_lenght"`, "did you mean filters.quality.min_length?"},
		{"a.toml", "[filters.quality]\n\nmin_lenght = 3\n", `a.toml:3: unknown key "min_lenght"`, "did you mean filters.quality.min_length?"},
		{"a.toml", "[filters.quality]\nx = 1\nmin_lenght = 3\n", `a.toml:2: unknown key "x"`, ""},
		{"a.toml", "[dedup.exact]\nfield = 'x'", `a.toml:1: unknown key "dedup"`, ""},
		{"a.yaml", "input: {}\noutputs:\n  path: y\n", `a.yaml:2: unknown key "outputs"`, "did you mean output?"},
		{"a.yaml", "filters:\n  quality:\n    min_length: bad\n", "a.yaml:3: filters.quality.min_length: bad is bad", ""},
		{"a.toml", "[filters]\n[filters.quality]\nmin_length = 'bad'\n", "a.toml:3: filters.quality.min_length: bad is bad", ""},
		{"a.yaml", "filters: 3\n", "a.yaml:1: filters: want keys below it", ""},
		{"a.yaml", "filters:\n  quality:\n    min_length: {a: 1}\n", "a.yaml:3: filters.quality.min_length: want a value", ""},
		{"a.yaml", "filters:\n  quality: {min_length: 3\n", "a.yaml:2: ", ""},  // truncated
		{"a.toml", "[filters.quality]\nmin_length = \n", "a.toml:2: ", ""},     // truncated
		{"a.toml", "[filters.quality\n", "a.toml:1: ", ""},                     // truncated
		{"a.yaml", "- a\n- b\n", "a.yaml:1: want keys with values", ""},        // a list
		{"a.yaml", "filters:\n\tquality: {}\n", "a.yaml:", ""},                 // a tab
		{"a.yaml", "a: 1\na: 2\n", "a.yaml:", ""},                              // duplicate key
		{"a.toml", "[filters.quality]\n[filters.quality]\n", "a.toml:2: ", ""}, // duplicate table
		{"a.toml", "[[filters]]\n", "a.toml:1: tables in lists", ""},
		{"a.yaml", "a: &x [1, 2]\nb: *x\n", "a.yaml:1: want a value or a list", ""},
		{"a.yaml", "a: [[1]]\n", "a.yaml:1: want a value or a list", ""},
		{"a.yaml", "\xff\xfe\x00", "a.yaml:1: ", ""},
	} {
		f, err := Parse(c.name, []byte(c.text))
		if err == nil {
			err = f.Set(keys)
		}
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.err) || e.Hint != c.hint || strings.Contains(e.Msg, "\n") {
			t.Errorf("%q: %v, want %s (hint %q)", c.text, err, c.err, c.hint)
		}
	}
}

// TestBomb checks that Parse rejects aliases, because with them a few bytes can expand to
// gigabytes.
func TestBomb(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 8), i)
	}
	if _, err := Parse("bomb.yaml", []byte(bomb)); err == nil {
		t.Error("aliases: no error")
	}
}

// TestDepth checks that Parse rejects nesting that is deeper than in any pipeline, before it
// parses the file. The error names the line where the nesting becomes too deep.
func TestDepth(t *testing.T) {
	for text, line := range map[string]int{
		"rules: " + strings.Repeat("[", 50000):                                   1,
		"a: 1\nrules:\n" + strings.Repeat("- [\n", 50000):                        103,
		"rules: " + strings.Repeat("{a: ", 50000):                                1,
		"rules:\n  " + strings.Repeat("- ", 50000):                               2,
		"rules:\n" + strings.Repeat("- \"[a-z] {1}\"\n", 500):                    0,
		"rules:\n" + strings.Repeat("- \"]\"\n", 500) + "- [[[1]]]\n# ]]] }}}\n": 0,
	} {
		if got := tooDeep([]byte(text)); got != line {
			t.Errorf("%.40q: line %d, want %d", text, got, line)
		}
	}
}

func TestExamples(t *testing.T) {
	names, _ := filepath.Glob("../../../../testdata/docs/*.[yt]*ml")
	if len(names) < 5 {
		t.Fatalf("found %v", names)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if f, err := Parse(name, data); err != nil || len(f.Settings) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(asYAML, false)
	f.Add(asTOML, true)
	f.Add("filters: {quality: {preset: strict}}", false)
	f.Fuzz(func(t *testing.T, text string, asTOML bool) {
		name := "a.yaml"
		if asTOML {
			name = "a.toml"
		}
		file, err := Parse(name, []byte(text))
		var e *Error
		switch {
		case err == nil && file == nil:
			t.Error("neither a file nor an error")
		case err != nil && (!errors.As(err, &e) || e.Line < 1 || strings.Contains(e.Msg, "\n")):
			t.Errorf("%q: %v", text, err)
		}
	})
}
