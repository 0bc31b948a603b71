package recfilter

import (
	"doppel/pkg/language"
	"doppel/pkg/line/cell"
	"doppel/pkg/quality"
)

// A judge holds what records are judged by. It is shared by all threads.
type judge struct {
	rules     quality.Rules
	reasons   map[*quality.Rule]string // that decisions give, of each rule
	language  *Language
	languages map[string]bool // nil: any
	uncertain string          // the reason where the language is not certain
}

// newJudge reads the options.
func newJudge(o *Options) (*judge, error) {
	j := &judge{language: &o.Language, reasons: map[*quality.Rule]string{}}
	j.uncertain = reason("confidence", quality.Below, o.Language.Confidence)
	var err error
	if j.rules, err = o.Quality.rules(); err != nil {
		return nil, err
	}
	if j.languages, err = o.Language.set(); err != nil {
		return nil, err
	}
	if !o.Quality.given() && j.languages == nil {
		j.rules, _ = quality.FindPreset("default")
	}
	for i := range j.rules {
		r := &j.rules[i]
		j.reasons[r] = reason(r.Metric.Name, r.Op, r.Limit)
	}
	return j, nil
}

// reason returns the reason of a decision that held a metric against a limit.
func reason(metric string, op quality.Op, limit float64) string {
	return string(cell.Bound{Name: metric, Op: string(op), Limit: limit}.Append(nil))
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

// verdict returns the first reason to drop the text: of its language, which
// costs least where it drops most, then of the rules in their order.
func (b *bench) verdict(text []byte) verdict {
	if v := b.speaks(text); v.reason != "" || len(b.rules) == 0 {
		return v
	}
	b.text.Set(text)
	broken, x := b.rules.Check(&b.text)
	return verdict{b.reasons[broken], x}
}

// speaks judges the language.
func (b *bench) speaks(text []byte) verdict {
	if b.languages == nil || shorter(text, b.language.MinTextLength) {
		return verdict{}
	}
	r := b.detector.Identify(text)
	switch {
	case !b.languages[r.Language]:
		return verdict{"language=" + r.Language, r.Confidence}
	case r.Confidence < b.language.Confidence:
		return verdict{b.uncertain, r.Confidence}
	}
	return verdict{}
}
