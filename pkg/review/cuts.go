package review

import (
	"math"
	"slices"
)

// Z95 is how many standard deviations around its mean hold 95 % of a normal
// distribution.
const Z95 = 1.959963984540054

// Wilson returns Wilson's interval (1927) for the probability of which k of n tries
// succeeded. Unlike the usual one it is right for few tries and for shares near 0 and
// 1. Of no tries it is all from 0 to 1.
func Wilson(k, n int, z float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	p, size := float64(k)/float64(n), float64(n)
	middle := p + z*z/(2*size)
	half := z * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	whole := 1 + z*z/size
	return max(0, (middle-half)/whole), min(1, (middle+half)/whole)
}

// A Cut is what the judgements say of a threshold: of the pairs that were judged and
// have this score or more, how many are the same.
type Cut struct {
	At        float64
	Same, Of  int
	Low, High float64 // Wilson's interval of 95 %
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
	c.Low, c.High = Wilson(c.Same, c.Of, Z95)
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
