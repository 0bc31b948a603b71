package recfilter

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/pflag"

	"doppel/pkg/quality"
)

// parse returns the options for these arguments.
func parse(args ...string) (*Options, error) {
	o := Default()
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.Flags(fs)
	err := fs.Parse(args)
	if err == nil {
		err = o.Check()
	}
	return &o, err
}

func TestCheck(t *testing.T) {
	for args, want := range map[string]string{
		"":                                    "",
		"--score --json":                      "",
		"--apply --stats=f":                   "",
		"--languages=en --confidence=1":       "",
		"--apply --score":                     "--apply writes unchanged records, so it cannot be used with --score or --json",
		"--apply --json":                      "--apply writes unchanged records, so it cannot be used with --score or --json",
		"--score --rule=length<1":             "--score writes metrics, not decisions, so it cannot be used with rules or languages",
		"--score --max-length=0":              "--score writes metrics, not decisions, so it cannot be used with rules or languages",
		"--score --languages=en":              "--score writes metrics, not decisions, so it cannot be used with rules or languages",
		"--score --stats=f":                   "--score writes metrics, not decisions, so it cannot be used with --stats",
		"--languages=en --confidence=-1":      "--confidence -1: want 0 to 1",
		"--languages=en --confidence=NaN":     "--confidence NaN: want 0 to 1",
		"--languages=en --min-text-length=-1": "--min-text-length -1: want 0 or more",
		"--min-text-length=1":                 "--confidence and --min-text-length need --languages",
		"--min-length=NaN":                    `invalid argument "NaN" for "--min-length" flag: "NaN" is not a number`,
		"--max-url-ratio=x":                   `invalid argument "x" for "--max-url-ratio" flag: "x" is not a number`,
		"--rule=length":                       `--rule: invalid rule "length": want METRIC<LIMIT or METRIC>LIMIT`,
		"--languages=en,xx":                   `--languages: unknown language "xx"`,
	} {
		_, err := parse(strings.Fields(args)...)
		if got := message(err); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Parsing the arguments that Args returns yields the same options.
func TestArgs(t *testing.T) {
	full := Default()
	full.Apply, full.Stats = true, "a,b.gz"
	full.Quality = Quality{
		Presets: []string{"strict", "c4"}, Rules: []string{"length<9", "stop_words<2"},
		Bans: [...]Choice{off, on},
	}
	for i, x := range []float64{0, math.Inf(1), 1, 1e9, 0.3, 1e-9, -1, 0.25, 2.5} {
		full.Quality.Limits[i] = Limit{x, true}
	}
	full.Language = Language{[]string{"en", "code"}, 0.75, 7}
	full.Records.Fields, full.KeepGoing = []string{"a,b", "c"}, true
	for _, want := range []Options{Default(), full} {
		got, err := parse(want.Args()...)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(&want, got, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%q: %s", want.Args(), d)
		}
	}
	if o := Default(); len(o.Args()) > 0 {
		t.Errorf("%q", o.Args())
	}
}

// Each flag for a metric adds, changes or removes the rule for that metric.
func TestRules(t *testing.T) {
	for args, want := range map[string]string{
		"--min-length=1 --max-length=2":                            "length<1 length>2",
		"--min-word-count=1 --max-word-count=2":                    "word_count<1 word_count>2",
		"--max-repetition-ratio=0.1 --min-unique-words-ratio=0":    "repetition_ratio>0.1 unique_words_ratio<0",
		"--max-url-ratio=0 --max-special-char-ratio=1e-7":          "url_ratio>0 special_char_ratio>1e-07",
		"--min-avg-word-length=3 --reject-html --filter-profanity": "avg_word_length<3 html_tags>0 profane_words>0",
		"--preset=strict --max-length=7 --reject-html=false --rule=length<1e3": "length<100 length>7 word_count<20 word_count>5000 repetition_ratio>0.2 unique_words_ratio<0.5 " +
			"url_ratio>0.05 special_char_ratio>0.2 avg_word_length<3 profane_words>0 length<1000",
		"--reject-html=false": "",
		"--languages=en":      "",
	} {
		o, err := parse(strings.Fields(args)...)
		if err != nil {
			t.Fatal(err)
		}
		j, err := newJudge(o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range j.rules {
			if got = append(got, j.reasons[&j.rules[i]]); got[i] != j.rules[i].String() {
				t.Errorf("the reason of %v is %s", j.rules[i], got[i])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s", args, got, want)
		}
	}
}

// The verdict names the first rule that drops the text, and the value of that rule's metric for the
// text.
func TestVerdict(t *testing.T) {
	o, err := parse("--rule=length<5", "--rule=word_count<3", "--languages=en", "--min-text-length=30")
	if err != nil {
		t.Fatal(err)
	}
	j, err := newJudge(o)
	if err != nil {
		t.Fatal(err)
	}
	b := &judgeWorker{judge: j}
	for text, want := range map[string]verdict{
		"two":           {"length<5", 3},
		"two words":     {"word_count<3", 2},
		"and two words": {},
	} {
		if got := b.verdict([]byte(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if v := b.verdict([]byte("La voisine du dessous a laissé sa bicyclette dans l'escalier.")); v.reason != "language=fra" {
		t.Errorf("%v", v)
	}
	if _, err := quality.ParseRule(j.reasons[&j.rules[0]]); err != nil {
		t.Error(err)
	}
}
