package recfilter

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/msg"
	"doppel/pkg/quality"
	"doppel/pkg/tool"
)

// Quality holds the options that select the rules for dropping texts. Presets select sets of rules.
// Limits and Bans then add, change or remove single rules. The field Rules lists further rules.
type Quality struct {
	Presets []string           // names of presets
	Rules   []string           // further rules, such as stop_words<2
	Limits  [len(limits)]Limit // limits of metrics, in the order of the array named limits
	Bans    [len(bans)]Choice  // whether each ban applies, in the order of the array named bans
}

// limits lists the flags that set the limit of a rule. The flags have the same names as in the
// program fastdedup.
var limits = [...]struct {
	flag   string
	metric string
	op     quality.Op
	usage  string
}{
	{"min-length", "length", quality.Below, "drop texts of fewer than `N` characters (default: none)"},
	{"max-length", "length", quality.Above, "drop texts of more than `N` characters (default: none)"},
	{"min-word-count", "word_count", quality.Below, "drop texts of fewer than `N` words (default: none)"},
	{"max-word-count", "word_count", quality.Above, "drop texts of more than `N` words (default: none)"},
	{"max-repetition-ratio", "repetition_ratio", quality.Above, "drop texts with a share of repeated n-grams above `X` (default: none)"},
	{"min-unique-words-ratio", "unique_words_ratio", quality.Below, "drop texts with a share of distinct words below `X` (default: none)"},
	{"max-url-ratio", "url_ratio", quality.Above, "drop texts with a share of web addresses above `X` (default: none)"},
	{"max-special-char-ratio", "special_char_ratio", quality.Above, "drop texts with a share of special characters above `X` (default: none)"},
	{"min-avg-word-length", "avg_word_length", quality.Below, "drop texts with an average word length below `X` characters (default: none)"},
}

// bans lists the flags for rules that drop a text in which something occurs even once.
var bans = [...]struct{ flag, metric, usage string }{
	{"reject-html", "html_tags", "drop texts with HTML tags"},
	{"filter-profanity", "profane_words", "drop texts with profane words"},
}

// Flags registers the flags that set these options.
func (q *Quality) Flags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&q.Presets, "preset", q.Presets, "apply the rules of these `PRESETS`, such as gopher,c4; some of: default, strict, lenient, gopher, gopher-quality, gopher-repetition, c4, fineweb or fineweb-quality")
	fs.StringArrayVar(&q.Rules, "rule", q.Rules, "drop texts for which `RULE` holds, as in stop_words<2")
	for i, l := range limits {
		fs.Var(&q.Limits[i], l.flag, l.usage)
		flagset.Assign(fs, flagset.Rules, l.flag)
	}
	for i, b := range bans {
		fs.VarPF(&q.Bans[i], b.flag, "", b.usage).NoOptDefVal = "true"
		flagset.Assign(fs, flagset.Rules, b.flag)
	}
	flagset.Assign(fs, flagset.Rules, "preset", "rule")
}

// given reports whether any rule, preset or limit was given.
func (q *Quality) given() bool {
	return len(q.Presets)+len(q.Rules) > 0 || q.Limits != [len(limits)]Limit{} || q.Bans != [len(bans)]Choice{}
}

// rules returns the rules in the order in which they are checked: the rules of the presets, with
// the given limits and choices applied, then the further rules.
func (q *Quality) rules() (rules quality.Rules, err error) {
	for _, name := range q.Presets {
		p, err := quality.FindPreset(name)
		if err != nil {
			return nil, tool.UsageError("--preset: %w", err)
		}
		rules = append(rules, p...)
	}
	for i, l := range limits {
		if q.Limits[i].Given {
			rules = rules.With(l.metric, l.op, q.Limits[i].Value)
		}
	}
	for i, b := range bans {
		switch q.Bans[i] {
		case on:
			rules = rules.With(b.metric, quality.Above, 0)
		case off:
			rules = rules.Without(b.metric, quality.Above)
		}
	}
	for _, s := range q.Rules {
		r, err := quality.ParseRule(s)
		if err != nil {
			return nil, msg.WithHint(tool.UsageError("--rule: %w", err), "recfilter(1) lists the metrics")
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// A Limit is a number that a metric is compared with. The zero value means that no limit was given.
// *Limit implements pflag.Value.
type Limit struct {
	Value float64
	Given bool
}

// Set parses a number, which may be infinite but not NaN.
func (l *Limit) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) {
		return fmt.Errorf("%q is not a number", s)
	}
	*l = Limit{x, true}
	return nil
}

// String returns the number, or "" if no limit was given.
func (l *Limit) String() string {
	if !l.Given {
		return ""
	}
	return strconv.FormatFloat(l.Value, 'g', -1, 64)
}

// Type returns the type that pflag uses in usage messages.
func (l *Limit) Type() string { return "float64" }

// A Choice switches a rule on or off. *Choice implements pflag.Value for a boolean flag whose value
// may be omitted.
type Choice int

// The values of a Choice.
const (
	asPreset Choice = iota // the rule applies if a preset includes it
	off                    // the rule does not apply
	on                     // the rule applies
)

// Set parses a boolean value.
func (c *Choice) Set(s string) error {
	yes, err := strconv.ParseBool(s)
	if *c = off; yes {
		*c = on
	}
	return err
}

// String returns "true", "false" or, for asPreset, "".
func (c *Choice) String() string { return [...]string{asPreset: "", off: "false", on: "true"}[*c] }

// Type returns the type that pflag uses in usage messages.
func (c *Choice) Type() string { return "bool" }
