package recfilter

import (
	"fmt"
	"unicode/utf8"

	"doppel/pkg/language"
	"doppel/pkg/quality"
)

// A judge holds what records are judged by. It is shared by all threads.
type judge struct {
	rules     []rule
	languages map[string]bool // nil: any
	uncertain string          // the reason where the language is not certain
	language  *languageFlags
}

// A rule carries the text that a decision gives as its reason.
type rule struct {
	quality.Rule
	reason string
}

// newJudge reads the flags. Without any the rules are those of the preset
// named default.
func newJudge(o *options) (*judge, error) {
	rules, asked, err := o.quality.list()
	if err != nil {
		return nil, err
	}
	j := &judge{language: &o.language, uncertain: fmt.Sprintf("confidence<%v", o.language.confidence)}
	if j.languages, err = o.language.list(); err != nil {
		return nil, err
	}
	if !asked && j.languages == nil {
		rules, _ = quality.FindPreset("default")
	}
	for _, r := range rules {
		j.rules = append(j.rules, rule{r, r.String()})
	}
	return j, nil
}

// A verdict is why a record is dropped; one that is kept has no reason.
type verdict struct {
	reason string
	score  float64 // the metric that the reason speaks of
}

// A bench is what one thread needs to judge.
type bench struct {
	*judge
	text     quality.Text
	detector language.Detector
}

// judge returns the first reason to drop the text: of its language, which
// costs least where it drops most, then of the rules in their order.
func (b *bench) verdict(text []byte) verdict {
	if v := b.speaks(text); v.reason != "" {
		return v
	}
	if len(b.rules) == 0 {
		return verdict{}
	}
	b.text.Set(text)
	for i := range b.rules {
		if x := b.rules[i].Metric.Measure(&b.text); b.rules[i].Breaks(x) {
			return verdict{b.rules[i].reason, x}
		}
	}
	return verdict{}
}

func (b *bench) speaks(text []byte) verdict {
	if b.languages == nil || shorter(text, b.language.minLength) {
		return verdict{}
	}
	r := b.detector.Identify(text)
	switch {
	case !b.languages[r.Language]:
		return verdict{"language=" + r.Language, r.Confidence}
	case r.Confidence < b.language.confidence:
		return verdict{b.uncertain, r.Confidence}
	}
	return verdict{}
}

// shorter reports whether the text has fewer than n characters.
func shorter(text []byte, n int) bool {
	return len(text) < n || len(text) < utf8.UTFMax*n && utf8.RuneCount(text) < n
}
