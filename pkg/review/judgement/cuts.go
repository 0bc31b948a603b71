package judgement

import (
	"math"
	"slices"

	"doppel/pkg/fingerprint"
)

// A Cut is the precision of the threshold At according to the judgements. Cut.Of is the number of
// judged pairs with a score of at least At. Cut.Same is the number of those pairs whose records
// were judged to be the same.
type Cut struct {
	At       float64
	Same, Of int
	Share    fingerprint.Estimate // Same/Of, with its 95% Wilson confidence interval
}

// CutAt returns the Cut for a threshold. It ignores pairs with the verdict Neither and pairs
// without a score.
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

// Cuts rounds the scores of the judged pairs down to multiples of 0.01, and returns a Cut for each
// distinct multiple, in ascending order.
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
