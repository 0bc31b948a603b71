package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ptr[T any](x T) *T { return &x }

const asYAML = `
# a whole pipeline
input:
  path: "raw.jsonl.gz"
  format: jsonl
output:
  path: "clean.jsonl"
  format: jsonl
  compression: none          # none | gzip | zstd
deduplication:
  exact:
    field: "text"
    normalize: true
  fuzzy:
    threshold: 0.85
    field: "text"
filters:
  language:
    allowed_languages: ["eng", "code"]
    confidence_threshold: 0.7
    min_text_length: 50
  quality:
    min_length: 100
    max_repetition_ratio: 0.3
    reject_html: true
    min_avg_word_length: 2.5
`

const asTOML = `
[input]
path = "raw.jsonl.gz"
format = "jsonl"
[output]
path = "clean.jsonl"
format = "jsonl"
compression = "none"
[deduplication.exact]
field = "text"
normalize = true
[deduplication.fuzzy]
threshold = 0.85
field = "text"
[filters.language]
allowed_languages = ["eng", "code"]
confidence_threshold = 0.7
min_text_length = 50
[filters.quality]
min_length = 100
max_repetition_ratio = 0.3
reject_html = true
min_avg_word_length = 2.5
`

var whole = &Config{
	Input:  Input{Path: "raw.jsonl.gz", Format: "jsonl"},
	Output: Output{Path: "clean.jsonl", Format: "jsonl", Compression: "none"},
	Deduplication: Deduplication{
		Exact: &Exact{Field: "text", Normalize: true},
		Fuzzy: &Fuzzy{Threshold: 0.85, Field: "text"},
	},
	Filters: Filters{
		Language: &Language{Allowed: []string{"eng", "code"}, Confidence: ptr(0.7), MinLength: ptr(50)},
		Quality: &Quality{
			MinLength: ptr(100.0), MaxRepetitionRatio: ptr(0.3), RejectHTML: ptr(true), MinAvgWordLength: ptr(2.5),
		},
	},
}

func TestParse(t *testing.T) {
	alone := &Config{Filters: whole.Filters}
	inner := func(s string) string { // the filters, one level up
		_, s, _ = strings.Cut(s, "filters:\n")
		return strings.ReplaceAll("\n"+s, "\n  ", "\n")
	}
	for _, c := range []struct {
		name, text string
		want       *Config
	}{
		{"a.yaml", asYAML, whole},
		{"a.toml", asTOML, whole},
		{"a.yml", inner(asYAML), alone},
		{"a.json", `{"deduplication": {"exact": {"field": null}}}`, &Config{Deduplication: Deduplication{Exact: &Exact{}}}},
		{"a.toml", "deduplication.exact.field = 'x'", &Config{Deduplication: Deduplication{Exact: &Exact{Field: "x"}}}},
	} {
		got, err := Parse(c.name, []byte(c.text))
		if d := cmp.Diff(c.want, got); err != nil || d != "" {
			t.Errorf("%s: %v\n%s\n%s", c.name, err, c.text, d)
		}
	}
}

// Every mistake is told with its line.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, err, hint string }{
		{"a.yaml", "", "a.yaml:1: deduplication: nothing is to be done", "give it exact or fuzzy, or give filters"},
		{"a.toml", "", "a.toml:1: deduplication: nothing is to be done", "give it exact or fuzzy, or give filters"},
		{"a.yaml", "# only a comment\n", "a.yaml:1: deduplication: nothing is to be done", "give it exact or fuzzy, or give filters"},
		{"a.yaml", "filters:\n  quality:\n    min_lenght: 3\n", `a.yaml:3: unknown key "min_lenght"`, "did you mean filters.quality.min_length?"},
		{"a.toml", "[filters.quality]\nx = 1\nmin_lenght = 3\n", `a.toml:2: unknown key "x"`, ""},
		{"a.toml", "[filters.quality]\n\nmin_lenght = 3\n", `a.toml:3: unknown key "min_lenght"`, "did you mean filters.quality.min_length?"},
		{"a.toml", "[dedup.exact]\nfield = 'x'", `a.toml:1: unknown key "dedup"`, ""},
		{"a.yaml", "input:\n  path: x\noutputs:\n  path: y\n", `a.yaml:3: unknown key "outputs"`, "did you mean output?"},
		{"a.yaml", "deduplication:\n  fuzzy:\n    threshold: high\n", "a.yaml:3: ", ""},
		{"a.toml", "[deduplication.fuzzy]\nthreshold = 'high'\n", "a.toml:2: ", ""},
		{"a.yaml", "deduplication:\n  fuzzy:\n    threshold: 85\n", "a.yaml:3: deduplication.fuzzy.threshold: 85 is not within 0 and 1", ""},
		{"a.toml", "[deduplication]\n[deduplication.fuzzy]\nfield = 'a'\nthreshold = 85\n", "a.toml:4: deduplication.fuzzy.threshold: 85 is not within 0 and 1", ""},
		{"a.yaml", "deduplication: {fuzzy: {bands: -2}}", "a.yaml:1: deduplication.fuzzy.bands: -2 is negative", ""},
		{"a.yaml", "output:\n  compression: lz4\ndeduplication: {exact: {}}", `a.yaml:2: output.compression: "lz4" is none of none, gzip, zstd`, ""},
		{"a.yaml", "input:\n  format: csv\ndeduplication: {exact: {}}", `a.yaml:2: input.format: "csv" is none of jsonl, parquet`, ""},
		{"a.yaml", "language:\n  allowed_languages: [eng,\n   xyz]\n", `a.yaml:2: filters.language.allowed_languages: language "xyz" is not known`, "recfilter(1) lists the languages"},
		{"a.toml", "[language]\nconfidence_threshold = 7\n", "a.toml:2: filters.language.confidence_threshold: 7 is not within 0 and 1", ""},
		{"a.yaml", "language: {min_text_length: -1}", "a.yaml:1: filters.language.min_text_length: -1 is negative", ""},
		{"a.yaml", "quality: {}\nfilters: {quality: {}}", "a.yaml:1: quality: filters.quality is set as well", ""},
		{"a.yaml", "filters: {language: {}}\n\nlanguage: {}", "a.yaml:3: language: filters.language is set as well", ""},
		{"a.yaml", "quality:\n  preset: strict,loose\n", `a.yaml:2: filters.quality.preset: there is no preset "loose"`, ""},
		{"a.yaml", "quality:\n  rules: ['stopwords<2']\n", `a.yaml:2: filters.quality.rules: rule "stopwords<2": there is no metric`, "recfilter(1) lists the metrics"},
		{"a.yaml", "deduplication:\n  exact:\n    normalize: true\n", "a.yaml:3: deduplication.exact.normalize: only the text of a field", "set deduplication.exact.field"},
		{"a.yaml", "filters:\n  quality: {min_length: 3\n", "a.yaml:2: ", ""}, // truncated
		{"a.toml", "[filters.quality]\nmin_length = \n", "a.toml:2: ", ""},    // truncated
		{"a.toml", "[filters.quality\n", "a.toml:1: ", ""},                    // truncated
		{"a.yaml", "- a\n- b\n", "a.yaml:1: ", ""},                             // a list
		{"a.yaml", "filters:\n\tquality: {}\n", "a.yaml:", ""},                 // a tab
		{"a.yaml", "a: 1\na: 2\n", "a.yaml:", ""},                              // a key twice
		{"a.toml", "[filters.quality]\n[filters.quality]\n", "a.toml:2: ", ""}, // likewise
		{"a.yaml", "input: {path: a.parquet}\noutput:\n  format: jsonl\ndeduplication: {exact: {}}", "a.yaml:3: output.format: records come as parquet", "convert them with reccat"},
		{"a.yaml", "input: {path: a.parquet}\noutput:\n  compression: zstd\ndeduplication: {exact: {}}", "a.yaml:3: output.compression: a Parquet file", ""},
		{"a.yaml", "\xff\xfe\x00", "a.yaml:1: ", ""},
	} {
		_, err := Parse(c.name, []byte(c.text))
		var e *Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), c.err) || e.Hint != c.hint || strings.Contains(e.Msg, "\n") {
			t.Errorf("%q: %v (hint %q), want %s (hint %q)", c.text, err, hintOf(e), c.err, c.hint)
		}
	}
}

func hintOf(e *Error) string {
	if e == nil {
		return ""
	}
	return e.Hint
}

// The examples that the manual speaks of are whole.
func TestExamples(t *testing.T) {
	names, _ := filepath.Glob("../../testdata/docs/*.[yt]*ml")
	if len(names) < 5 {
		t.Fatalf("found %v", names)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(name, data); err != nil {
			t.Error(err)
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
		c, err := Parse(name, []byte(text))
		var e *Error
		switch {
		case err == nil && c == nil:
			t.Error("neither a pipeline nor an error")
		case err != nil && (!errors.As(err, &e) || e.Line < 1 || strings.Contains(e.Msg, "\n")):
			t.Errorf("%q: %v", text, err)
		}
	})
}

func TestArgs(t *testing.T) {
	join := func(lists ...[]string) (s []string) {
		for _, l := range lists {
			s = append(s, strings.Join(l, " "))
		}
		return s
	}
	got := join(whole.Deduplication.Exact.Args(), whole.Deduplication.Fuzzy.Args())
	got = append(got, join(whole.Filters.Args()...)...)
	got = append(got, join((&Exact{}).Args(), (&Fuzzy{}).Args(), (&Fuzzy{WordShingles: true}).Args(),
		(&Fuzzy{ShingleSize: 5, NumHashes: 64, Bands: 8, RowsPerBand: 4}).Args())...)
	two := &Filters{&Language{Field: "title"}, &Quality{Preset: "strict,c4", Rules: []string{"length<9", "stop_words<2"}}}
	got = append(got, join(two.Args()...)...)
	got = append(got, join((&Filters{Quality: &Quality{Field: "body"}}).Args()...)...)
	got = append(got, join((&Filters{Language: &Language{Allowed: []string{"fr"}, Field: "body"}}).Args()...)...)
	got = append(got, join((&Filters{}).Args()...)...)
	if d := cmp.Diff([]string{
		"--field=text --normalize=conservative",
		"--threshold=0.85 --field=text",
		"--languages=eng,code --confidence=0.7 --min-text-length=50 --preset=default --min-length=100 --max-repetition-ratio=0.3 --min-avg-word-length=2.5 --reject-html=true",
		"", "", "--shingle=w3", "--shingle=c5 --slots=64 --bands=8 --rows=4",
		"--languages=eng --field=title", "--preset=strict,c4 --rule=length<9 --rule=stop_words<2",
		"--preset=default --field=body", "--languages=fr --field=body",
	}, got); d != "" {
		t.Error(d)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"abc", "abc", 0}, {"lenght", "length", 2}, {"kitten", "sitting", 3}} {
		if got := distance(c.a, c.b); got != c.want || distance(c.b, c.a) != got {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
