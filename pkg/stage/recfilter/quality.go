package recfilter

import (
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/quality"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// Quality says which rules a text must obey: those of the presets, with the
// limits of single metrics changed, and then further ones.
type Quality struct {
	Presets []string // names of presets
	Rules   []string // further ones, such as stop_words<2

	MinLength, MaxLength       Limit // characters
	MinWordCount, MaxWordCount Limit
	MaxRepetitionRatio         Limit
	MinUniqueWordsRatio        Limit
	MaxURLRatio                Limit
	MaxSpecialCharRatio        Limit
	MinAvgWordLength           Limit // characters
	RejectHTML                 Choice
	FilterProfanity            Choice
}

// A limit is a flag that sets the limit of a rule, as fastdedup names it.
type limit struct {
	value  *Limit
	flag   string
	metric string
	op     quality.Op
	usage  string
}

func (q *Quality) limits() []limit {
	return []limit{
		{&q.MinLength, "min-length", "length", quality.Below, "drop texts of fewer than `N` characters"},
		{&q.MaxLength, "max-length", "length", quality.Above, "drop texts of more than `N` characters"},
		{&q.MinWordCount, "min-word-count", "word_count", quality.Below, "drop texts of fewer than `N` words"},
		{&q.MaxWordCount, "max-word-count", "word_count", quality.Above, "drop texts of more than `N` words"},
		{&q.MaxRepetitionRatio, "max-repetition-ratio", "repetition_ratio", quality.Above, "drop texts of which more than `X` is repeated n-grams"},
		{&q.MinUniqueWordsRatio, "min-unique-words-ratio", "unique_words_ratio", quality.Below, "drop texts of which fewer than `X` of the words differ"},
		{&q.MaxURLRatio, "max-url-ratio", "url_ratio", quality.Above, "drop texts of which more than `X` is addresses"},
		{&q.MaxSpecialCharRatio, "max-special-char-ratio", "special_char_ratio", quality.Above, "drop texts of which more than `X` is signs"},
		{&q.MinAvgWordLength, "min-avg-word-length", "avg_word_length", quality.Below, "drop texts with words of fewer than `X` characters on average"},
	}
}

// A ban is a flag that drops a text for a single occurrence.
type ban struct {
	choice *Choice
	flag   string
	metric string
	usage  string
}

func (q *Quality) bans() []ban {
	return []ban{
		{&q.RejectHTML, "reject-html", "html_tags", "drop texts with HTML tags"},
		{&q.FilterProfanity, "filter-profanity", "profane_words", "drop texts with profane words"},
	}
}

// Flags registers the flags.
func (q *Quality) Flags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&q.Presets, "preset", q.Presets, "apply the rules of these `PRESETS`: default, strict, lenient, gopher, gopher-quality, gopher-repetition, c4, fineweb or fineweb-quality")
	fs.StringArrayVar(&q.Rules, "rule", q.Rules, "drop texts for which `RULE` holds, as in stop_words<2")
	for _, l := range q.limits() {
		fs.Var(l.value, l.flag, l.usage)
	}
	for _, b := range q.bans() {
		fs.VarPF(b.choice, b.flag, "", b.usage).NoOptDefVal = "true"
	}
}

// given reports whether anything is asked for.
func (q *Quality) given() bool {
	return len(q.Presets)+len(q.Rules) > 0 ||
		slices.ContainsFunc(q.limits(), func(l limit) bool { return l.value.Given }) ||
		slices.ContainsFunc(q.bans(), func(b ban) bool { return *b.choice != asPreset })
}

// rules returns the rules, in order.
func (q *Quality) rules() (rules quality.Rules, err error) {
	for _, name := range q.Presets {
		p, err := quality.FindPreset(name)
		if err != nil {
			return nil, tool.UsageError("--preset: %w", err)
		}
		rules = append(rules, p...)
	}
	rules = q.change(rules)
	for _, s := range q.Rules {
		r, err := quality.ParseRule(s)
		if err != nil {
			return nil, wording.WithHint(tool.UsageError("--rule: %w", err), "recfilter(1) lists the metrics")
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// change returns the rules with the limits that are given.
func (q *Quality) change(rules quality.Rules) quality.Rules {
	for _, l := range q.limits() {
		if l.value.Given {
			rules = rules.With(l.metric, l.op, l.value.Value)
		}
	}
	for _, b := range q.bans() {
		switch *b.choice {
		case on:
			rules = rules.With(b.metric, quality.Above, 0)
		case off:
			rules = rules.Without(b.metric, quality.Above)
		}
	}
	return rules
}
