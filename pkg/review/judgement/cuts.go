package judgement

import (
	"math"
	"slices"

	"doppel/pkg/sample"
)

// A Cut is what the judgements say of a threshold: of the pairs that were judged and
// have this score or more, how many are the same.
type Cut struct {
	At       float64
	Same, Of int
	Share    sample.Estimate // with Wilson's interval of 95 %
}

// CutAt returns what judgements say of one threshold. Pairs of which neither record
// is kept, and those without a score, say nothing.
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
	c.Share = sample.Wilson(c.Same, c.Of, sample.Confidence95)
	return c
}

// Cuts returns what judgements say of the thresholds that lie among their scores, in
// steps of a hundredth, the lowest first.
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
