// Package judgement records a person's judgements on pairs of records. A [Judgement] is a [Pair]
// with a [Verdict]. A [Ledger] is a list of judgements that do not contradict each other, and a
// [Journal] stores them in a file. [Cuts] computes the precision of thresholds from judgements.
package judgement

import (
	"errors"
	"fmt"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/line/cell"
	"doppel/pkg/line/rule"
)

// A Judgement is a pair with a person's verdict on it.
type Judgement struct {
	Pair
	Verdict Verdict
}

// A Ledger is a list of judgements, at most one per pair, in the order in which they were made. A
// record may be dropped in favour of a second one, which may be dropped in favour of a third, and
// so on, but the last record of such a chain must be kept. Decide rejects a judgement that breaks
// this rule, because the program keepdrop would reject it later, when the person can no longer
// correct it. Decide takes time proportional to the number of judgements, which is fast enough
// because a person makes only a few thousand.
type Ledger struct {
	all  []Judgement
	past []change
}

// A change records what a decision replaced, so that the decision can be undone.
type change struct {
	at     int // index of the replaced judgement, or -1
	before Judgement
}

// find returns the index of the judgement on a pair, or -1.
func (l *Ledger) find(p Pair) int {
	return slices.IndexFunc(l.all, func(j Judgement) bool { return j.Sides() == p.Sides() })
}

// Of returns the verdict on a pair, or Undecided if there is none. If the judgement has the records
// of p in the opposite order, Of swaps KeepA and KeepB.
func (l *Ledger) Of(p Pair) Verdict {
	at := l.find(p)
	if at < 0 {
		return Undecided
	}
	switch j := l.all[at]; {
	case j.A != p.A && j.Verdict == KeepA:
		return KeepB
	case j.A != p.A && j.Verdict == KeepB:
		return KeepA
	default:
		return j.Verdict
	}
}

// All returns all judgements. The caller must not change them.
func (l *Ledger) All() []Judgement { return l.all }

// Decide records the verdict on a pair, replacing an earlier verdict on it. It returns an error,
// and changes nothing, if the verdict contradicts the verdicts on other pairs.
func (l *Ledger) Decide(p Pair, v Verdict) error {
	c := change{at: l.find(p)}
	kept := l.all
	if c.at >= 0 {
		c.before = l.all[c.at]
		kept = slices.Delete(slices.Clone(l.all), c.at, c.at+1)
	}
	next := append(slices.Clip(kept), Judgement{p, v})
	if err := consistent(next); err != nil {
		return err
	}
	l.all, l.past = next, append(l.past, c)
	return nil
}

// Undo undoes the last decision, restores the judgement that it replaced, and returns the pair of
// the decision. Repeated calls undo earlier decisions.
func (l *Ledger) Undo() (Pair, error) {
	if len(l.past) == 0 {
		return Pair{}, errors.New("nothing to undo")
	}
	last, undone := l.past[len(l.past)-1], l.all[len(l.all)-1]
	rest := slices.Clone(l.all[:len(l.all)-1])
	if last.at >= 0 {
		rest = slices.Insert(rest, last.at, last.before)
	}
	// An error is possible if decisions were read from a file, which does not record the order of
	// changes.
	if err := consistent(rest); err != nil {
		return Pair{}, err
	}
	l.past, l.all = l.past[:len(l.past)-1], rest
	return undone.Pair, nil
}

// Append appends a judgement to dst as one decision, or as two if both records are dropped. Each
// decision takes one line.
func (j Judgement) Append(dst []byte) []byte {
	one := line.Decision{Verdict: line.Drop, ID: []byte(j.B), Kept: []byte(j.A), Score: cell.Float(j.Score), Rule: rule.Same.Append(nil)}
	switch j.Verdict {
	case KeepB:
		one.ID, one.Kept = one.Kept, one.ID
	case Both:
		one.Verdict, one.Rule = line.Keep, rule.Distinct.Append(nil)
	case Neither:
		one.Rule = rule.Neither.Append(nil)
		other := one
		one.ID, one.Kept, other.Kept = one.Kept, nil, nil
		return other.Append(one.Append(dst, line.Format{}), line.Format{})
	}
	return one.Append(dst, line.Format{})
}

// consistent follows each dropped record to the record kept instead of it, from there to the next,
// and so on, as keepdrop does. It returns an error if such a chain is a cycle, or if its last
// record is dropped too.
func consistent(all []Judgement) error {
	// The second map has the id of the record that is kept in place of a dropped record, if any.
	dropped, instead := map[string]bool{}, map[string]string{}
	for _, j := range all {
		switch j.Verdict {
		case KeepA:
			dropped[j.B], instead[j.B] = true, j.A
		case KeepB:
			dropped[j.A], instead[j.A] = true, j.B
		case Neither:
			dropped[j.A], dropped[j.B] = true, true
		}
	}
	for _, j := range all {
		for _, from := range []string{j.A, j.B} {
			id, steps := from, 0
			for kept, ok := instead[id]; ok; kept, ok = instead[id] {
				if id = kept; steps > len(instead) {
					return fmt.Errorf("%s would be dropped in favour of %s, which leads back to %[1]s: undo another decision first", from, instead[from])
				}
				steps++
			}
			if dropped[id] && id != from {
				return fmt.Errorf("%s would be dropped in favour of %s, which is dropped: undo the decision on %[2]s first", from, id)
			}
		}
	}
	return nil
}
