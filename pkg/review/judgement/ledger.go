// Package judgement is what a person says of pairs of records: each a Pair with a Verdict,
// of which none may contradict the rest (Ledger); the file of them, of which a kill loses
// nothing (Journal); and what follows from them for a threshold (Cuts).
package judgement

import (
	"errors"
	"fmt"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/line/cell"
)

// A Judgement is a pair that was decided.
type Judgement struct {
	Pair
	Verdict Verdict
}

// A Ledger is what was decided, each pair once, in the order of the decisions. What
// keepdrop would refuse is refused here, while it can be mended: that a record is
// dropped in favour of one that is dropped itself, and leads back or to nothing. To
// check costs a step for each decision; a person makes a few thousand.
type Ledger struct {
	all  []Judgement
	past []change
}

// A change is what one decision, the last of all, has replaced.
type change struct {
	at     int // of the judgement before, -1 if there was none
	before Judgement
}

// find returns where a pair was decided, or -1.
func (l *Ledger) find(p Pair) int {
	return slices.IndexFunc(l.all, func(j Judgement) bool { return j.Sides() == p.Sides() })
}

// Of returns what was said of a pair, whose sides may have changed places.
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

// All returns all judgements, which the caller must not change.
func (l *Ledger) All() []Judgement { return l.all }

// Decide notes what is said of a pair, in place of what was said before. It returns an
// error, and changes nothing, if that contradicts what was said of others.
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

// Undo takes back the last decision that stands, and returns its pair. What it
// had replaced stands again.
func (l *Ledger) Undo() (Pair, error) {
	if len(l.past) == 0 {
		return Pair{}, errors.New("nothing to undo")
	}
	last, undone := l.past[len(l.past)-1], l.all[len(l.all)-1]
	rest := slices.Clone(l.all[:len(l.all)-1])
	if last.at >= 0 {
		rest = slices.Insert(rest, last.at, last.before)
	}
	if err := consistent(rest); err != nil { // of a file, whose order is not that of the changes
		return Pair{}, err
	}
	l.past, l.all = l.past[:len(l.past)-1], rest
	return undone.Pair, nil
}

// Append appends the lines that a judgement is in the form of decisions.
func (j Judgement) Append(dst []byte) []byte {
	one := line.Decision{Verdict: line.Drop, ID: []byte(j.B), Kept: []byte(j.A), Score: cell.Float(j.Score), Rule: []byte(same)}
	switch j.Verdict {
	case KeepB:
		one.ID, one.Kept = one.Kept, one.ID
	case Both:
		one.Verdict, one.Rule = line.Keep, []byte(distinct)
	case Neither:
		one.Rule = []byte(neither)
		other := one
		one.ID, one.Kept, other.Kept = one.Kept, nil, nil
		return other.Append(one.Append(dst, line.Format{}), line.Format{})
	}
	return one.Append(dst, line.Format{})
}

// The reasons in the decisions of a person.
const (
	same     = "same"
	distinct = "distinct"
	neither  = "neither"
)

// consistent returns an error if a record is dropped in favour of one that is not
// kept either, nor anything in its favour: it follows each record, as keepdrop does, to the one
// that is kept in the end.
func consistent(all []Judgement) error {
	dropped, instead := map[string]bool{}, map[string]string{} // of a dropped one, the record that is kept
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
					return fmt.Errorf("%s would be dropped in favour of %s, and in the end of itself: undo another first", from, instead[from])
				}
				steps++
			}
			if dropped[id] && id != from {
				return fmt.Errorf("%s would be dropped in favour of %s, which is dropped: undo that first", from, id)
			}
		}
	}
	return nil
}
