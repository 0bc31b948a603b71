package dupreport

import (
	"doppel/pkg/report"
	"doppel/pkg/tool"
)

// page puts together what was read.
func (r *session) page() (*report.Page, error) {
	thresholds, err := r.thresholds()
	if err != nil {
		return nil, err
	}
	p := &report.Page{
		Title:      "What was dropped, and why",
		Run:        report.Run{Command: r.command(), Chain: r.opt.Chain, Version: tool.Built(), Seconds: r.opt.Seconds},
		Scores:     r.scoring.histogram(),
		Thresholds: thresholds,
		Doubt:      r.doubt(thresholds),
		Promise:    r.promise(),
		Curve:      r.bands,
		Sizes:      r.fates.sizes(),
		Groups:     r.comparisons(r.groups),
		Near:       r.comparisons(r.near),
		Sample:     r.comparisons(r.sample),
	}
	r.fill(p)
	r.sum(p)
	return p, nil
}

// fill adds the lists.
func (r *session) fill(p *report.Page) {
	for i, all := range r.places {
		name := func(value string) string { return value }
		if i == 0 {
			name = r.name
		}
		p.Places = append(p.Places, all.table(name))
	}
	for _, k := range r.keys {
		p.Keys = append(p.Keys, report.Key{Key: string(k.name), Records: k.records, Example: k.example.Text})
	}
	for _, c := range r.reasons {
		one := report.Reason{Reason: c.reason, Dropped: c.dropped}
		for _, t := range c.examples {
			one.Examples = append(one.Examples, t.Text)
		}
		p.Reasons = append(p.Reasons, one)
	}
}

// sum sets the totals.
func (r *session) sum(p *report.Page) {
	t, f := &r.totals, &r.fates
	t.Parts, t.PartBytes, t.Pairs = f.parts, f.partBytes, r.scoring.pairs
	t.Threshold, t.HasThreshold, t.Seed = f.threshold, f.threshold > 0, r.opt.Seed
	t.Drawn = t.Pairs > mostNear
	for _, g := range f.groups {
		if g.dropped > 0 {
			t.Groups++
			t.LargestGroup = max(t.LargestGroup, int64(g.dropped)+1)
		}
	}
	p.Totals = *t
}

// promise returns what the bands promise, in steps of .02.
func (r *session) promise() (all []report.Chance) {
	if r.opt.Bands.B == 0 {
		return nil
	}
	for n := 0; n <= 100; n += 2 {
		j := float64(n) / 100
		all = append(all, report.Chance{Similarity: j, Share: r.opt.Bands.Chance(j)})
	}
	return all
}

// comparisons returns what is shown side by side, with its texts.
func (r *session) comparisons(all []sideBySide) (out []report.Comparison) {
	for _, s := range all {
		c := report.Comparison{Title: s.title, A: s.a.Text}
		if s.b != nil {
			c.B, c.Command = s.b.Text, r.again(s.a, s.b)
		}
		out = append(out, c)
	}
	return out
}

// doubt says why the table of thresholds may not be taken at its word.
func (r *session) doubt(all []report.Threshold) string {
	for _, t := range all {
		switch {
		case r.fates.components:
			return "It is of the policy greedy, and this run had components: by that one more would be dropped."
		case t.Here && t.Drops != r.fates.drops:
			return "The run did not decide by these pairs alone, or by another rank: at its threshold they drop another number."
		}
	}
	return ""
}

// sizes returns how many groups there are of each size.
func (f *fates) sizes() []report.Size {
	var all report.SizeCounts
	for _, g := range f.groups {
		if g.dropped > 0 {
			all.Add(int64(g.dropped))
		}
	}
	return all.Rows()
}
