package dupreport

import (
	"bytes"
	"cmp"
	"fmt"
	"math"

	"doppel/pkg/line"
	"doppel/pkg/report"
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
	if len(r.opt.Scores) == 0 {
		return nil
	}
	t := &r.page.Totals
	least := 1.                       // lowest score
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
		t.Pairs++
		least = min(least, l.Score)
		counts[int(l.Score*scoreRanges+1e-9)]++
		one := pair{far: math.Abs(math.Round(1e4*(l.Score-t.Threshold))) / 1e4, draw: topk.Draw(r.opt.Seed, t.Pairs), score: l.Score}
		if t.Threshold > 0 && near.Takes(one) {
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
	first := int(least*scoreRanges + 1e-9)
	if t.Threshold > 0 {
		first = min(first, int(t.Threshold*scoreRanges+1e-9))
	}
	wide := 1 + (scoreRanges-first)/50
	first -= first % wide
	h := &report.Scores{Low: float64(first) / scoreRanges, Width: float64(wide) / scoreRanges, Threshold: t.Threshold}
	for i, n := range counts[first:] {
		if i%wide == 0 {
			h.Counts = append(h.Counts, 0)
		}
		h.Counts[i/wide] += n
	}
	r.page.Scores = h
	return nil
}
