package fingerprint

import "math"

// An Overlap holds the sizes of two sets, A and B, and the number of fingerprints that they share.
type Overlap struct{ A, B, Shared int }

// An Estimate holds a share between 0 and 1 and its confidence interval.
type Estimate struct{ Value, Low, High float64 }

// Confidence95 is the value of z for a confidence level of 95 %.
const Confidence95 = 1.959963984540054

// InA estimates the containment of A in B, which is the share of the distinct windows of A that
// also occur in B. Fingerprints are selected by value alone, so the set of A is a random sample of
// its distinct windows, and the estimate is a binomial proportion. The same is true of InB and
// Resemblance. Winnowing does not select fingerprints independently, so for winnowed sets the
// interval is only an approximation.
//
// z determines the confidence level of the interval; see [Wilson].
func (o Overlap) InA(z float64) Estimate { return Wilson(o.Shared, o.A, z) }

// InB estimates the share of the distinct windows of B that also occur in A.
func (o Overlap) InB(z float64) Estimate { return Wilson(o.Shared, o.B, z) }

// Resemblance estimates the Jaccard coefficient of the windows of A and B.
func (o Overlap) Resemblance(z float64) Estimate {
	return Wilson(o.Shared, o.A+o.B-o.Shared, z)
}

// Wilson returns the proportion of k hits in n trials, with Wilson's score interval (Probable
// Inference, 1927). Unlike the textbook interval, the score interval is also reliable if n is small
// or the proportion is near 0 or 1. z is the quantile of the standard normal distribution for the
// confidence level, such as [Confidence95]. For n = 0, the value is 0 and the interval is from 0 to
// 1.
func Wilson(k, n int, z float64) Estimate {
	if n == 0 {
		return Estimate{0, 0, 1}
	}
	p, m, square := float64(k)/float64(n), float64(n), z*z
	middle := (p + square/(2*m)) / (1 + square/m)
	half := z / (1 + square/m) * math.Sqrt(p*(1-p)/m+square/(4*m*m))
	return Estimate{p, min(p, max(0, middle-half)), max(p, min(1, middle+half))}
}
