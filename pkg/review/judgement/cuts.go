package judgement

import (
	"math"
	"slices"

	"doppel/pkg/fingerprint"
)

// A Cut is the evidence of the judgements about a threshold: among the judged pairs with at
// least this score, the number of pairs that are the same.
type Cut struct {
	At       float64
	Same, Of int
	Share    fingerprint.Estimate // with Wilson's 95 % interval
}

// CutAt returns the evidence about one threshold. Pairs without a kept record, and pairs
// without a score, do not count.
func CutAt(all []Judgement, at float64) Cut {
	c := Cut{At: at}
	for _, j := range all {
		if j.Verdict == Neither || !(j.Score >= at) {
			continue
		}
		c.Of++
		if j.Verdict != Both {
			c.Same++
		}
	}
	c.Share = fingerprint.Wilson(c.Same, c.Of, fingerprint.Confidence95)
	return c
}

// Cuts returns the evidence about the thresholds within the range of the judged scores, in
// steps of 0.01, in ascending order.
func Cuts(all []Judgement) (cuts []Cut) {
	var steps []int
	for _, j := range all {
		if j.Verdict != Neither && !math.IsNaN(j.Score) && !math.IsInf(j.Score, 0) {
			steps = append(steps, int(math.Floor(j.Score*100+1e-6)))
		}
	}
	slices.Sort(steps)
	for _, n := range slices.Compact(steps) {
		cuts = append(cuts, CutAt(all, float64(n)/100))
	}
	return cuts
}
