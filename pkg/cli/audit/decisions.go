package audit

import (
	"fmt"
	"math"
	"slices"

	"doppel/pkg/audit"
	"doppel/pkg/line"
	"doppel/pkg/line/rule"
	"doppel/pkg/record"
	"doppel/pkg/record/write"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// eachLine calls fn with each line of a file and its number, counted from 1.
func (a *run) eachLine(name string, fn func(text []byte, number int64) error) error {
	rd, err := lineio.Open(a.e, []string{name})
	if err != nil {
		return err
	}
	return tool.EachRecord(a.e, rd, func(rec *record.Record) error { return fn(rec.Raw, rec.Line) })
}

// eachDecision calls fn with each decision of the run and its line number.
func (a *run) eachDecision(fn func(d *line.Decision, number int64) error) error {
	var d line.Decision
	return a.eachLine(a.Decisions, func(text []byte, number int64) error {
		if err := d.Parse(text); err != nil {
			return &record.SyntaxError{Name: a.Decisions, Line: number, Err: err}
		}
		return fn(&d, number)
	})
}

// decisionFault reports a fault in a line of the decisions. number is 0 if the line is not known,
// and ordinal is -1 if the line names no record.
func (a *run) decisionFault(number, ordinal int64, format string, args ...any) error {
	return a.report(audit.Fault{Name: a.Decisions, Line: number, Record: ordinal, What: fmt.Sprintf(format, args...)})
}

// readDecisions reads the decisions into the ledger.
func (a *run) readDecisions() error {
	err := a.eachDecision(func(d *line.Decision, number int64) error {
		r, ok := a.ledger.resolve(d.ID)
		switch {
		case !ok:
			return a.decisionFault(number, -1, "%q is not the id of a record: want an ordinal, or file:ordinal of an input", d.ID)
		case r.end == audit.Whole && !r.listed.add(r.ordinal):
			return a.decisionFault(number, r.ordinal, "is decided twice")
		case d.Verdict != line.Drop:
			return nil
		case r.old:
			return a.decisionFault(number, r.ordinal, "of %s is an old record, but is dropped", r.name)
		case r.end != audit.Whole:
			by, _ := rule.Find(d.Rule)
			a.ledger.cuts = append(a.ledger.cuts, cut{space: r.order, start: r.start, end: r.end, ordinal: r.ordinal, copied: by.Copied})
			return nil
		}
		if a.Split != text.Unsplit {
			return a.decisionFault(number, r.ordinal, "is dropped as a whole, but --split cuts parts")
		}
		r.dropped.add(r.ordinal)
		if k, ok := a.ledger.resolve(d.Kept); ok && a.Sizes.Flag() != "" {
			a.ledger.favours[[2]int64{int64(k.order), k.ordinal}]++
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(a.ledger.cuts) == 0 {
		return nil
	}
	if a.cutter, err = write.NewCutter(a.opt); err != nil {
		return err
	}
	if a.decoder, err = record.NewDecoder(a.opt); err != nil {
		return err
	}
	slices.SortFunc(a.ledger.cuts, cut.compare)
	for i, c := range a.ledger.cuts[1:] {
		if b := a.ledger.cuts[i]; b.space == c.space && b.ordinal == c.ordinal && c.start < b.end {
			if err := a.decisionFault(0, c.ordinal, "has parts that are dropped twice: bytes %d to %d, and %d to %d", b.start, b.end, c.start, c.end); err != nil {
				return err
			}
		}
	}
	return nil
}

// comparisonOf returns the comparison that checks decisions by a rule.
func comparisonOf(r rule.Rule) audit.Rule {
	switch r {
	case rule.Passage:
		return audit.Identical
	case rule.Score:
		return audit.Similar
	}
	return audit.Equal
}

// checkIDs checks that the records named by decisions exist, that records named as kept are kept,
// and that the reasons are possible for the audited command.
func (a *run) checkIDs() error {
	return a.eachDecision(func(d *line.Decision, number int64) error {
		r, ok := a.ledger.resolve(d.ID)
		switch {
		case !ok: // already reported
			return nil
		case r.ordinal >= r.records:
			return a.decisionFault(number, r.ordinal, "does not exist: the input has %d records", r.records)
		case d.Verdict != line.Drop:
			return nil
		}
		switch by, limit := rule.Find(d.Rule); {
		case by.Of != a.Of:
			return a.decisionFault(number, r.ordinal, "is dropped by %q, which is not a reason of doppel %s: see --of", d.Reason(), a.Of)
		case by == rule.Score && limit != a.Threshold:
			return a.decisionFault(number, r.ordinal, "is dropped by %q, but the audit has --threshold %v", d.Reason(), a.Threshold)
		case d.Kept == nil && by.Copied && a.Keep != "none":
			return a.decisionFault(number, r.ordinal, "is dropped, but no kept record is named")
		case d.Kept == nil:
			a.unknown++
			return nil
		}
		k, ok := a.ledger.resolve(d.Kept)
		isCut := func() bool {
			return slices.ContainsFunc(a.ledger.cutsOf(k.space, k.ordinal), func(c cut) bool { return c.start < k.end && k.start < c.end && c.copied })
		}
		switch {
		case !ok || k.ordinal >= k.records:
			return a.decisionFault(number, r.ordinal, "is dropped in favour of %q, which does not exist", d.Kept)
		case k.space == r.space && k.ordinal == r.ordinal && k.start == r.start && k.end == r.end:
			return a.decisionFault(number, r.ordinal, "is dropped in favour of itself")
		case k.dropped.has(k.ordinal) && a.Of != "passages" || k.end != audit.Whole && a.Of != "passages" && isCut():
			return a.decisionFault(number, r.ordinal, "is dropped in favour of %q, which is dropped, too", d.Kept)
		}
		if _, scored := d.Score.Float(); !scored && a.Policy != "components" {
			return a.decisionFault(number, r.ordinal, "is dropped in favour of %q without a score", d.Kept)
		}
		if k.bare {
			a.unknown++
			return a.checkScore(d, number, r.ordinal)
		}
		return nil
	})
}

// checkScore checks that the score of a decision without evidence is one that the run could have
// found. A similarity at the threshold can have a score that is lower, because scores have four
// decimals.
func (a *run) checkScore(d *line.Decision, number, ordinal int64) error {
	score, scored := d.Score.Float()
	by, _ := rule.Find(d.Rule)
	switch {
	case !scored:
		return nil
	case comparisonOf(by) != audit.Similar && score != 1:
		return a.decisionFault(number, ordinal, "is scored %.4f, but is dropped as a copy of %q", score, d.Kept)
	case score > 1 || comparisonOf(by) == audit.Similar && score <= a.Threshold-1.0/audit.One:
		return a.decisionFault(number, ordinal, "is scored %.4f against %q, but the threshold is %v", score, d.Kept, a.Threshold)
	}
	return nil
}

// recountDrops checks the decisions to drop a record because it is similar to a kept one.
func (a *run) recountDrops() error {
	return a.recount(a.Decisions, func(add func(audit.Claim) error) error {
		return a.eachDecision(func(d *line.Decision, number int64) error {
			v, scored := d.Score.Float()
			if d.Verdict != line.Drop || d.Kept == nil || !scored {
				return nil
			}
			dropped, ok := a.known(d.ID)
			kept, also := a.known(d.Kept)
			if !ok || !also {
				return nil
			}
			c := claimOf(dropped, kept)
			by, _ := rule.Find(d.Rule)
			c.Line, c.Drops, c.Rule = number, true, comparisonOf(by)
			if c.Score, ok = points(v); !ok {
				return a.decisionFault(number, dropped.Record-a.ledger.all.first, "has the score %v: want four decimals", v)
			}
			return add(c)
		})
	})
}

// known returns the part that an id names. ok is false if there is no such record.
func (a *run) known(id []byte) (p audit.Part, ok bool) {
	r, ok := a.ledger.resolve(id)
	if !ok || r.ordinal >= r.records || r.bare || r.hashed {
		return p, false
	}
	return audit.Part{Record: r.first + r.ordinal, Start: r.start, End: r.end}, true
}

// claimOf returns the claim that two parts are alike.
func claimOf(first, second audit.Part) audit.Claim {
	c := audit.Claim{Later: first, Earlier: second}
	if first.Compare(second) < 0 {
		c.Later, c.Earlier, c.Swapped = second, first, true
	}
	return c
}

// points returns the score v in units of 1/audit.One. ok is false unless v is between 0 and 1 and a
// multiple of this unit.
func points(v float64) (score int, ok bool) {
	score = int(math.Round(v * audit.One))
	return score, 0 <= v && v <= 1 && math.Abs(v*audit.One-float64(score)) < 1e-6
}
