package dupreport

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/line/rule"
	"doppel/pkg/record"
	"doppel/pkg/record/bitset"
	"doppel/pkg/report"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/topk"
)

// decisions summarizes the decisions of the run. Each id in the decisions has a number in ids.
type decisions struct {
	ids     ids.Table
	ordinal bool               // ids are ordinals, so an id with a range names a part
	dropped bitset.Set         // id numbers of dropped records
	cut     bitset.Set         // id numbers of dropped parts
	groups  []keptGroup        // groups, indexed by the number of the kept record
	reasons map[string]*reason // reasons for drops, by rule
	drops   int64              // number of decisions to drop
}

// A keptGroup describes the records dropped in favour of one record.
type keptGroup struct {
	dropped uint32  // number of dropped records
	least   uint32  // id number of the least similar dropped record
	score   float32 // lowest score of a dropped record; 2 if no dropped record has a score
}

// A reason holds the number of decisions to drop by one rule, and a random sample of these
// decisions.
type reason struct {
	report.Reason
	drawn topk.List[drop]
}

// A drop is a drop decision that the page may show as an example.
type drop struct {
	draw     uint64 // random number; the decisions with the lowest numbers are shown
	id, kept []byte // kept is nil if the decision names no kept record
	title    string
}

// readDecisions reads the decisions, and chooses the groups and the reasons to show.
func (r *session) readDecisions() error {
	r.reasons = map[string]*reason{}
	if err := lineio.Each(r.e, []string{r.opt.Decisions}, r.addDecision); err != nil {
		return err
	}
	t := &r.page.Totals
	if r.opt.Threshold > 0 {
		t.Threshold = r.opt.Threshold
	}
	t.Seed = r.opt.Seed
	id := func(n uint32) []byte { return r.ids.Append(nil, int(n)) }
	largest := topk.List[uint32]{Size: mostGroups, Compare: func(a, b uint32) int {
		return cmp.Or(cmp.Compare(r.groups[b].dropped, r.groups[a].dropped), ids.Compare(id(a), id(b)))
	}}
	for n, g := range r.groups {
		if g.dropped == 0 {
			continue
		}
		t.Groups++
		t.LargestGroup = max(t.LargestGroup, int64(g.dropped)+1)
		if kept := uint32(n); largest.Takes(kept) {
			largest.Add(kept)
		}
	}
	for _, n := range largest.All {
		g := r.groups[n]
		title := fmt.Sprintf("%s records: %s is kept", report.Number(int64(g.dropped)+1), id(n))
		if g.score <= 1 {
			title += fmt.Sprintf("; the least similar, %s, has %.4f", id(g.least), g.score)
		}
		r.page.Groups = append(r.page.Groups, r.comparison(title, id(n), id(g.least)))
	}
	var all []*reason
	for _, one := range r.reasons {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b *reason) int {
		return cmp.Or(cmp.Compare(b.Dropped, a.Dropped), cmp.Compare(a.Reason.Reason, b.Reason.Reason))
	})
	all = all[:min(len(all), mostReasons)]
	for _, one := range all {
		shown := min(len(one.drawn.All), max(1, mostDrawn/len(all)))
		for _, d := range one.drawn.All[:shown] {
			a, b := d.kept, d.id
			if a == nil {
				a, b = d.id, nil
			}
			one.Examples = append(one.Examples, r.comparison(d.title, a, b))
		}
		r.page.Reasons = append(r.page.Reasons, one.Reason)
	}
	r.groups, r.reasons = nil, nil
	return nil
}

// inParts reports whether the decisions of a run that --run describes have the ids file:ordinal, as those
// of a run in parts do, and not ordinals. It is true at most once.
func (r *session) inParts(id []byte) bool {
	owner, _, _, _ := ids.CutPart(id)
	_, ordinal := ids.Ordinal(owner)
	return r.opt.Of != "" && r.ordinal && !ordinal
}

// addDecision parses a line and adds the decision.
func (r *session) addDecision(text []byte) error {
	var d line.Decision
	if err := d.Parse(text); err != nil || d.Verdict != line.Drop {
		return err
	}
	if r.inParts(d.ID) {
		r.ordinal, r.opt.Ordinals = false, false
		for _, records := range []*record.Options{&r.opt.Records, &r.e.Records} {
			records.ID, records.WithFilename = "", true
		}
	}
	t, n := &r.page.Totals, r.intern(d.ID)
	by, limit := rule.Find(d.Rule)
	if by == rule.Score {
		t.Threshold = limit
	}
	_, start, end, part := ids.CutPart(d.ID)
	if part && (r.ordinal || by.Part) {
		r.cut.Add(int64(n))
		t.Parts, t.PartBytes = t.Parts+1, t.PartBytes+int64(end-start)
	} else {
		r.dropped.Add(int64(n))
	}
	score, known := d.Score.Float()
	if d.Kept != nil {
		kept, least := r.intern(d.Kept), float32(score)
		if !known {
			least = 2 // greater than any score, because the record was never compared with the kept one
		}
		g := &r.groups[kept]
		if g.dropped++; g.dropped == 1 || least < g.score {
			g.least, g.score = n, least
		}
	}
	why := r.reasons[string(d.Rule)]
	if why == nil {
		why = &reason{report.Reason{Reason: string(d.Rule)}, topk.List[drop]{Size: mostExamples, Compare: func(a, b drop) int { return cmp.Compare(a.draw, b.draw) }}}
		r.reasons[why.Reason.Reason] = why
	}
	why.Dropped++
	r.drops++
	if one := (drop{draw: topk.Draw(r.opt.Seed, r.drops)}); len(r.reasons) <= mostReasons && why.drawn.Takes(one) {
		one.id, one.kept, one.title = bytes.Clone(d.ID), bytes.Clone(d.Kept), fmt.Sprintf("%s: %s", d.ID, d.Reason())
		if known {
			one.title += fmt.Sprintf(", %.4f", score)
		}
		if d.Kept != nil {
			one.title += fmt.Sprintf(", for %s", d.Kept)
		}
		why.drawn.Add(one)
	}
	return r.ids.Full()
}

// intern returns the number of an id, and makes d.groups long enough to be indexed by it.
func (d *decisions) intern(id []byte) uint32 {
	n := d.ids.Intern(id)
	for int(n) >= len(d.groups) {
		d.groups = append(d.groups, keptGroup{})
	}
	return n
}

// outcome returns what happened to the record or part with this id.
func (d *decisions) outcome(id []byte) string {
	n, ok := d.ids.Lookup(id)
	switch {
	case ok && d.dropped.Has(int64(n)):
		return "dropped"
	case ok && d.cut.Has(int64(n)):
		return "cut out"
	}
	return "kept"
}
