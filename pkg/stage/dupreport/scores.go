package dupreport

import (
	"bytes"
	"cmp"
	"fmt"
	"math"

	"doppel/pkg/group"
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/report"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/topk"
)

// scoreRanges is the number of equal ranges into which the scores from 0 to 1 are divided.
const scoreRanges = 100

// A pair is a scored pair that the page may show.
type pair struct {
	far   float64 // distance of the score from the threshold
	draw  uint64  // random number, which breaks ties between equal distances
	a, b  []byte  // ids of the records
	score float64
}

// readScores reads the scored pairs, if any. It counts them for a histogram of at most 50 columns
// and, if there is a threshold, chooses the pairs with scores nearest to it.
func (r *session) readScores() error {
	r.edges.Sized, r.least = r.opt.Decide.Rank == "longest", 1
	if len(r.opt.Scores) == 0 {
		return nil
	}
	t := &r.page.Totals
	var counts [scoreRanges + 1]int64 // number of pairs, by score in hundredths
	near := topk.List[pair]{Size: mostNear, Compare: func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.draw, b.draw))
	}}
	err := lineio.Each(r.e, r.opt.Scores, func(text []byte) error {
		var l line.Score
		if err := l.Parse(text); err != nil {
			return err
		}
		if !(0 <= l.Score && l.Score <= 1) {
			return fmt.Errorf("score %v: want 0 to 1", l.Score)
		}
		if err := r.edges.Add(&l); err != nil {
			return err
		}
		t.Pairs++
		r.apart = r.apart || l.Apart
		r.least = min(r.least, l.Score)
		counts[int(l.Score*scoreRanges+1e-9)]++
		one := pair{far: math.Abs(math.Round(1e4*(l.Score-t.Threshold))) / 1e4, draw: topk.Draw(r.opt.Seed, t.Pairs), score: l.Score}
		if t.HasThreshold && near.Takes(one) {
			one.a, one.b = bytes.Clone(l.A), bytes.Clone(l.B)
			near.Add(one)
		}
		return nil
	})
	if err != nil || t.Pairs == 0 {
		return err
	}
	t.Drawn = t.Pairs > mostNear
	for _, p := range near.All {
		title := fmt.Sprintf("%.4f: %s (%s) and %s (%s)", p.score, p.a, r.outcome(p.a), p.b, r.outcome(p.b))
		r.page.Near = append(r.page.Near, r.comparison(title, p.a, p.b))
	}
	first := int(r.least*scoreRanges + 1e-9)
	if t.HasThreshold {
		first = min(first, int(t.Threshold*scoreRanges+1e-9))
	}
	wide := 1 + (scoreRanges-first)/50
	first -= first % wide
	h := &report.Scores{Low: float64(first) / scoreRanges, Width: float64(wide) / scoreRanges}
	for i, n := range counts[first:] {
		if i%wide == 0 {
			h.Counts = append(h.Counts, 0)
		}
		h.Counts[i/wide] += n
	}
	r.page.Scores = h
	return nil
}

// tryThresholds computes how many records would be dropped at the threshold of the run, and at
// evenly spaced thresholds from the lowest score up. Records are ranked as in dupgroup.
func (r *session) tryThresholds() error {
	t := &r.page.Totals
	if t.Pairs == 0 || !t.HasThreshold {
		return nil
	}
	decide := r.opt.Decide
	if decide.NeedsRecords() {
		decide.Data = r.opt.Data
	}
	decide.Old = r.opt.Against
	if had := r.e.Records; r.opt.Ordinals {
		r.e.Records.ID, r.e.Records.WithFilename = "", false
		defer func() { r.e.Records = had }()
	}
	order, err := decide.Order(r.e, dupgroup.Records{IDs: &r.edges.IDs, Size: r.edges.Size, Old: func(n uint32) bool { return r.old.Has(int64(n)) }})
	if err != nil {
		return err
	}
	step, tried := 1, []float64(nil)
	if r.least < .75 {
		step = 5
	}
	for i := step; i <= scoreRanges; i += step {
		at, next := float64(i)/scoreRanges, float64(i+step)/scoreRanges
		if at >= r.least-1e-9 || at == t.Threshold {
			tried = append(tried, at)
		}
		if at < t.Threshold && t.Threshold < next && t.Threshold >= r.least {
			tried = append(tried, t.Threshold)
		}
	}
	reached := make([]float64, len(tried)) // scores are rounded down to four decimals
	for i, at := range tried {
		reached[i] = math.Floor(at*jaccard.One+1e-6) / jaccard.One
	}
	sweep := group.NewSweep(r.edges.IDs.Len(), r.old.Len(), int64(r.e.Mem), reached)
	passes := []func(group.Edge) error{sweep.Join, sweep.Add}
	if r.apart {
		passes = passes[1:]
	}
	if err := r.edges.Each(ids.Ranks(order), passes...); err != nil {
		return err
	}
	drops, err := sweep.Drops()
	for i, n := range drops {
		here := tried[i] == t.Threshold
		if here && n != r.drops {
			r.page.Doubt = "At the run's threshold these pairs drop a different number of records than the run did: the run used other pairs or another rank."
		}
		r.page.Thresholds = append(r.page.Thresholds, report.Threshold{Value: tried[i], Drops: n, Here: here})
	}
	if r.components {
		r.page.Doubt = "The table assumes the policy greedy; the policy components, which this run used, would drop more."
	}
	return err
}
