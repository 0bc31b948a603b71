package judgement

import (
	"bytes"
	"fmt"
	"math"

	"doppel/pkg/line"
	"doppel/pkg/line/cell"
)

// A Pair holds the ids of two records to compare. In a decision to drop a record, A is the kept
// record and B the dropped one.
type Pair struct {
	A, B  string
	Score float64 // score of the pair, or NaN if it has none
}

// Sides returns the ids in byte order, so that the result identifies the pair, whichever record is
// A.
func (p Pair) Sides() [2]string { return [2]string{min(p.A, p.B), max(p.A, p.B)} }

// A Verdict is a person's decision on a pair.
type Verdict byte

// The verdict Neither does not say whether the records are the same.
const (
	Undecided Verdict = iota
	KeepA             // the records are the same, and B is dropped
	KeepB             // the records are the same, and A is dropped
	Both              // the records differ, and both are kept
	Neither           // both records are dropped
)

var verdictNames = [...]string{"undecided", "keep a", "keep b", "keep both", "keep none"}

func (v Verdict) String() string { return verdictNames[v] }

// decisionColumns is the number of columns of a decision in TSV. The line of a pair never has that
// number of columns.
const decisionColumns = 5

// Parse parses a line in TSV or JSON. The line is a decision, or a pair with or without a score. If
// it is a decision without a second record, ok is false.
func Parse(text []byte) (p Pair, ok bool, err error) {
	if isDecision(text) {
		var d line.Decision
		if err := d.Parse(text); err != nil {
			return p, false, err
		}
		return Pair{string(d.Kept), string(d.ID), floatOrNaN(d.Score)}, d.Kept != nil, nil
	}
	var s line.Score
	if err := s.Parse(text); err == nil {
		return Pair{string(s.A), string(s.B), s.Score}, true, nil
	}
	var bare line.Pair
	if err := bare.Parse(text); err != nil {
		return p, false, err
	}
	if extra := bytes.Count(text, []byte{'\t'}); extra > 1 {
		return p, false, fmt.Errorf("want a score in the third column")
	}
	return Pair{string(bare.A), string(bare.B), math.NaN()}, true, nil
}

func floatOrNaN(n cell.Number) float64 {
	if v, ok := n.Float(); ok {
		return v
	}
	return math.NaN()
}

// isDecision reports whether a line has the form of a decision.
func isDecision(text []byte) bool {
	if bytes.HasPrefix(text, []byte{'{'}) && bytes.IndexByte(text, '\t') < 0 {
		return bytes.Contains(text, []byte(`"verdict"`))
	}
	word, _, _ := bytes.Cut(text, []byte{'\t'})
	known := string(word) == line.Keep.String() || string(word) == line.Drop.String()
	return known && bytes.Count(text, []byte{'\t'}) == decisionColumns-1
}
