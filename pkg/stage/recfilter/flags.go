package recfilter

import (
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/language"
	"doppel/pkg/quality"
	"doppel/pkg/tool"
)

// qualityFlags collect the rules: those of presets, changed by the flags for
// single metrics, and then those of --rule.
type qualityFlags struct {
	fs      *pflag.FlagSet
	presets []string
	rules   []string
}

// A limit is a flag that sets the limit of a rule, as fastdedup names it.
type limit struct {
	flag, metric string
	op           quality.Op
	usage        string
}

var limits = []limit{
	{"min-length", "length", quality.Below, "drop texts of fewer than `N` characters"},
	{"max-length", "length", quality.Above, "drop texts of more than `N` characters"},
	{"min-word-count", "word_count", quality.Below, "drop texts of fewer than `N` words"},
	{"max-word-count", "word_count", quality.Above, "drop texts of more than `N` words"},
	{"max-repetition-ratio", "repetition_ratio", quality.Above, "drop texts of which more than `X` is repeated n-grams"},
	{"min-unique-words-ratio", "unique_words_ratio", quality.Below, "drop texts of which fewer than `X` of the words differ"},
	{"max-url-ratio", "url_ratio", quality.Above, "drop texts of which more than `X` is addresses"},
	{"max-special-char-ratio", "special_char_ratio", quality.Above, "drop texts of which more than `X` is signs"},
	{"min-avg-word-length", "avg_word_length", quality.Below, "drop texts with words of fewer than `X` characters on average"},
}

// bans are the flags that drop a text for a single occurrence.
var bans = []limit{
	{"reject-html", "html_tags", quality.Above, "drop texts with HTML tags"},
	{"filter-profanity", "profane_words", quality.Above, "drop texts with profane words"},
}

func (q *qualityFlags) register(fs *pflag.FlagSet) {
	q.fs = fs
	fs.StringSliceVar(&q.presets, "preset", nil, "apply the rules of these `PRESETS`")
	fs.StringArrayVar(&q.rules, "rule", nil, "drop texts for which `RULE` holds, as in stop_words<2")
	for _, l := range limits {
		fs.Float64(l.flag, 0, l.usage)
	}
	for _, b := range bans {
		fs.Bool(b.flag, false, b.usage)
	}
}

// list returns the rules, and whether any flag asked for some.
func (q *qualityFlags) list() (rules quality.Rules, asked bool, err error) {
	for _, name := range q.presets {
		p, err := quality.FindPreset(name)
		if err != nil {
			return nil, true, tool.UsageError("--preset: %w", err)
		}
		rules = append(rules, p...)
	}
	for _, l := range limits {
		if f := q.fs.Lookup(l.flag); f.Changed {
			x, _ := strconv.ParseFloat(f.Value.String(), 64)
			rules = rules.With(l.metric, l.op, x)
		}
	}
	for _, b := range bans {
		switch f := q.fs.Lookup(b.flag); {
		case f.Changed && f.Value.String() == "true":
			rules = rules.With(b.metric, b.op, 0)
		case f.Changed:
			rules, asked = rules.Without(b.metric, b.op), true
		}
	}
	for _, s := range q.rules {
		r, err := quality.ParseRule(s)
		if err != nil {
			return nil, true, tool.WithHint(tool.UsageError("--rule: %w", err), "recfilter(1) lists the metrics")
		}
		rules = append(rules, r)
	}
	return rules, asked || len(rules) > 0, nil
}

// languageFlags say which languages pass.
type languageFlags struct {
	names      []string
	confidence float64
	minLength  int
}

func (l *languageFlags) register(fs *pflag.FlagSet) {
	fs.StringSliceVar(&l.names, "languages", nil, "drop texts in other languages than these: ISO 639 `CODES`, or code for programs")
	fs.Float64Var(&l.confidence, "confidence", 0.5, "drop texts whose language is less certain than `X`, 0 to 1")
	fs.IntVar(&l.minLength, "min-text-length", 50, "let texts of fewer than `N` characters be of any language")
}

// list returns the languages that pass, or nil for all.
func (l *languageFlags) list() (map[string]bool, error) {
	if l.confidence < 0 || l.confidence > 1 {
		return nil, tool.UsageError("--confidence %v: want 0 to 1", l.confidence)
	}
	var set map[string]bool
	for _, name := range l.names {
		code, err := language.Parse(name)
		if err != nil {
			return nil, tool.WithHint(tool.UsageError("--languages: %w", err), "recfilter(1) lists the languages")
		}
		if set == nil {
			set = map[string]bool{}
		}
		set[code] = true
	}
	return set, nil
}
