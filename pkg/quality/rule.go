package quality

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Rule compares a metric of a text with a limit. A text breaks the rule if the comparison "Metric
// Op Limit" is true.
type Rule struct {
	Metric Metric
	Op     Op
	Limit  float64
}

// An Op is an operator that compares a metric with a limit.
type Op string

// The values of Op.
const (
	Below   Op = "<"
	AtMost  Op = "<="
	Above   Op = ">"
	AtLeast Op = ">="
)

// ParseRule parses a rule in the form that String returns, such as repetition_ratio>0.3.
func ParseRule(s string) (Rule, error) {
	i := strings.IndexAny(s, "<>")
	if i < 0 {
		return Rule{}, fmt.Errorf("invalid rule %q: want METRIC<LIMIT or METRIC>LIMIT", s)
	}
	name, op, limit := s[:i], s[i:i+1], s[i+1:]
	if strings.HasPrefix(limit, "=") {
		op, limit = op+"=", limit[1:]
	}
	m, ok := lookUp(name)
	if !ok {
		return Rule{}, fmt.Errorf("invalid rule %q: unknown metric %q", s, name)
	}
	x, err := strconv.ParseFloat(limit, 64)
	if err != nil || math.IsNaN(x) {
		return Rule{}, fmt.Errorf("invalid rule %q: the limit %q is not a number", s, limit)
	}
	return Rule{m, Op(op), x}, nil
}

// String returns the rule in the form used in the reasons for decisions, such as word_count<10.
func (r Rule) String() string {
	return r.Metric.Name + string(r.Op) + strconv.FormatFloat(r.Limit, 'g', -1, 64)
}

// Breaks reports whether a text with the measured value x breaks the rule. NaN breaks no rule.
func (r Rule) Breaks(x float64) bool {
	switch r.Op {
	case Below:
		return x < r.Limit
	case AtMost:
		return x <= r.Limit
	case Above:
		return x > r.Limit
	case AtLeast:
		return x >= r.Limit
	}
	return false
}

// Rules is a list of rules. Check applies them in order.
type Rules []Rule

// Check returns the first rule that the text breaks, and the measured value. If the text breaks no
// rule, broken is nil. Check does not evaluate the metrics of later rules.
func (rs Rules) Check(t *Text) (broken *Rule, measured float64) {
	for i := range rs {
		if x := rs[i].Metric.Measure(t); rs[i].Breaks(x) {
			return &rs[i], x
		}
	}
	return nil, 0
}

// With returns a copy of rs in which the first rule with this metric and comparison has the given
// limit. If there is no such rule, With appends one to the copy. With panics if the metric does not
// exist.
func (rs Rules) With(metric string, op Op, limit float64) Rules {
	if i := slices.IndexFunc(rs, func(r Rule) bool { return r.Metric.Name == metric && r.Op == op }); i >= 0 {
		rs = slices.Clone(rs)
		rs[i].Limit = limit
		return rs
	}
	m, ok := lookUp(metric)
	if !ok {
		panic("quality: no metric " + metric)
	}
	return append(slices.Clip(rs), Rule{m, op, limit})
}

// Without returns a copy of rs without the rules that have this metric and comparison.
func (rs Rules) Without(metric string, op Op) Rules {
	return slices.DeleteFunc(slices.Clone(rs), func(r Rule) bool { return r.Metric.Name == metric && r.Op == op })
}
