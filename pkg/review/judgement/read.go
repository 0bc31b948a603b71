package judgement

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"doppel/pkg/line"
	"doppel/pkg/line/rule"
)

// ParseJudgements parses lines of judgements into a new ledger. It also returns the number of bytes
// that the complete judgements take. The last judgement may lack its LF, because an editor may
// leave it out. Any further bytes must be the start of a judgement that a killed process did not
// finish; otherwise ParseJudgements returns an error.
func ParseJudgements(text []byte) (l *Ledger, whole int, err error) {
	l = &Ledger{}
	for n := 1; ; n++ {
		j, size, err := parseJudgement(text[whole:])
		if err != nil {
			return nil, whole, fmt.Errorf("line %d: %w", n, err)
		}
		if size == 0 {
			return l, whole, nil
		}
		if j.Verdict == Neither {
			n++ // this judgement has two lines
		}
		if err := l.Decide(j.Pair, j.Verdict); err != nil {
			return nil, whole, fmt.Errorf("line %d: %w", n, err)
		}
		whole += size
	}
}

// parseJudgement parses the judgement at the start of text. It returns the judgement and its length
// in bytes, or a length of 0 if the judgement is incomplete.
func parseJudgement(text []byte) (j Judgement, size int, err error) {
	first, size, err := parseDecision(text)
	if err != nil || size == 0 {
		return j, 0, err
	}
	p := Pair{string(first.Kept), string(first.ID), floatOrNaN(first.Score)}
	switch reason := string(first.Rule); {
	case first.Verdict == line.Drop && first.Kept != nil && reason == rule.Same.Name:
		return Judgement{p, KeepA}, size, nil
	case first.Verdict == line.Keep && first.Kept != nil && reason == rule.Distinct.Name:
		return Judgement{p, Both}, size, nil
	case first.Verdict == line.Drop && first.Kept == nil && reason == rule.Neither.Name:
		second, more, err := parseDecision(text[size:])
		if err != nil || more == 0 {
			return j, 0, err
		}
		if string(second.Rule) != rule.Neither.Name || second.Verdict != line.Drop {
			return j, 0, fmt.Errorf("pair of %q: want a second line, because neither record is kept", p.B)
		}
		return Judgement{Pair{p.B, string(second.ID), floatOrNaN(second.Score)}, Neither}, size + more, nil
	}
	return j, 0, fmt.Errorf("not a decision of dupreview")
}

// parseDecision parses the first line of text. It returns the decision and the length of the line
// in bytes, or a length of 0 if the line is only the start of a decision written by dupreview.
func parseDecision(text []byte) (d line.Decision, size int, err error) {
	n := bytes.IndexByte(text, '\n')
	if n >= 0 {
		return d, n + 1, d.Parse(bytes.Clone(text[:n])) // Parse unescapes in place
	}
	reasons := []string{rule.Same.Name, rule.Distinct.Name, rule.Neither.Name}
	if err := d.Parse(bytes.Clone(text)); err == nil && slices.Contains(reasons, string(d.Rule)) {
		return d, len(text), nil
	}
	columns := bytes.Split(text, []byte("\t"))
	last := len(columns) - 1
	begins := func(n int, words ...string) bool {
		return n > last || slices.ContainsFunc(words, func(w string) bool {
			return string(columns[n]) == w || n == last && strings.HasPrefix(w, string(columns[n]))
		})
	}
	score := last < 3 || len(bytes.Trim(columns[3], "-+.0123456789NaInfe")) == 0
	if last < 5 && begins(0, "drop", "keep") && score && begins(4, reasons...) {
		return line.Decision{}, 0, nil
	}
	return d, 0, fmt.Errorf("not a decision of dupreview, not even an incomplete one")
}
