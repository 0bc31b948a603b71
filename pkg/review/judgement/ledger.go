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

// A change is what one decision put in the place of another.
type change struct {
	at            int // of the judgement before, if there was one
	before, after Judgement
}

// find returns where a pair was decided, or -1.
func (l *Ledger) find(p Pair) int {
	return slices.IndexFunc(l.all, func(j Judgement) bool { return j.Sides() == p.Sides() })
}

// Of returns what was said of a pair, as it lies.
func (l *Ledger) Of(p Pair) Verdict {
	at := l.find(p)
	if at < 0 {
		return Undecided
	}
	return l.all[at].as(p)
}

// as returns the verdict for a pair whose sides may have changed places.
func (j Judgement) as(p Pair) Verdict {
	if j.A != p.A {
		switch j.Verdict {
		case KeepA:
			return KeepB
		case KeepB:
			return KeepA
		}
	}
	return j.Verdict
}

// All returns all judgements, which the caller must not change.
func (l *Ledger) All() []Judgement { return l.all }

// Decide notes what is said of a pair, in place of what was said before. It returns an
// error, and changes nothing, if that contradicts what was said of others.
func (l *Ledger) Decide(p Pair, v Verdict) error {
	c := change{at: l.find(p), after: Judgement{p, v}}
	kept := l.all
	if c.at >= 0 {
		c.before = l.all[c.at]
		kept = slices.Delete(slices.Clone(l.all), c.at, c.at+1)
	}
	next := append(slices.Clip(kept), c.after)
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
	last := l.past[len(l.past)-1]
	rest := slices.Clone(l.all[:len(l.all)-1])
	if last.at >= 0 {
		rest = slices.Insert(rest, last.at, last.before)
	}
	if err := consistent(rest); err != nil { // of a file, whose order is not that of the changes
		return Pair{}, err
	}
	l.past, l.all = l.past[:len(l.past)-1], rest
	return last.after.Pair, nil
}

// Append appends the lines that a judgement is in the form of decisions.
func (j Judgement) Append(dst []byte) []byte {
	a, b, score := []byte(j.A), []byte(j.B), cell.Float(j.Score)
	f := line.Format{}
	switch j.Verdict {
	case KeepA:
		return line.Decision{Verdict: line.Drop, ID: b, Kept: a, Score: score, Rule: []byte(same)}.Append(dst, f)
	case KeepB:
		return line.Decision{Verdict: line.Drop, ID: a, Kept: b, Score: score, Rule: []byte(same)}.Append(dst, f)
	case Both:
		return line.Decision{Verdict: line.Keep, ID: b, Kept: a, Score: score, Rule: []byte(distinct)}.Append(dst, f)
	}
	dst = line.Decision{Verdict: line.Drop, ID: a, Score: score, Rule: []byte(neither)}.Append(dst, f)
	return line.Decision{Verdict: line.Drop, ID: b, Score: score, Rule: []byte(neither)}.Append(dst, f)
}

// The reasons in the decisions of a person.
const (
	same     = "same"
	distinct = "distinct"
	neither  = "neither"
)

// fates are what judgements make of records, as keepdrop understands them.
type fates struct {
	dropped map[string]bool
	instead map[string]string // of a dropped one, the record that is kept
}

// consistent returns an error if a record is dropped in favour of one that is not
// kept either, nor anything in its favour.
func consistent(all []Judgement) error {
	f := fates{map[string]bool{}, map[string]string{}}
	for _, j := range all {
		f.note(j)
	}
	for _, j := range all {
		for _, id := range []string{j.A, j.B} {
			if err := f.follow(id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *fates) note(j Judgement) {
	switch j.Verdict {
	case KeepA:
		f.dropped[j.B], f.instead[j.B] = true, j.A
	case KeepB:
		f.dropped[j.A], f.instead[j.A] = true, j.B
	case Neither:
		f.dropped[j.A], f.dropped[j.B] = true, true
	}
}

// follow goes from a record to the one that is kept instead.
func (f *fates) follow(id string) error {
	from := id
	for range len(f.instead) + 1 {
		kept, favours := f.instead[id]
		switch {
		case favours:
			id = kept
		case f.dropped[id] && id != from:
			return fmt.Errorf("%s would be dropped in favour of %s, which is dropped: undo that first", from, id)
		default:
			return nil
		}
	}
	return fmt.Errorf("%s would be dropped in favour of %s, and in the end of itself: undo another first", from, f.instead[from])
}
