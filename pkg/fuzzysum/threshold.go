package fuzzysum

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// studentT returns the number of standard deviations for a confidence level in percent: a quantile
// of Student's t-distribution with Buckets-1 degrees of freedom. It is +Inf at 100 %, and -Inf at 0
// % if the level is one-sided.
func studentT(confidence float64, reading Reading) float64 {
	p := confidence / 100
	if reading == TwoSided {
		p = (1 + p) / 2
	}
	switch p {
	case 0:
		return math.Inf(-1)
	case 1:
		return math.Inf(1)
	}
	return quantile(p, Buckets-1)
}

// quantile returns the p-quantile (0 < p < 1) of Student's t-distribution with nu degrees of
// freedom. It inverts the cumulative distribution function, which for t > 0 is 1 - I_x(nu/2, 1/2)/2
// with x = nu/(t²+nu). The result is bit for bit the same as the result of gonum's package distuv.
// Using distuv instead would link all of gonum's linear algebra into the program.
func quantile(p, nu float64) float64 {
	if p == 0.5 {
		return 0
	}
	x := mathext.InvRegIncBeta(nu/2, 0.5, 2*min(p, 1-p))
	return math.Copysign(math.Sqrt(nu*(1-x)/x), p-0.5)
}

// fuzzySum returns the fuzzy sum for the counts: bit i is 1 if counts[i] > m + t·s, where m is the
// mean of the counts and s is their sample standard deviation. Let n be the sum of the counts, and
// q the sum of their squares. If both sides of the condition are multiplied by 128, it becomes
//
//	128·counts[i] - n > t·√(128·(128·q - n²)/127)
//
// The conversions to float64 prevent the compiler from fusing operations, so the result is the same
// on all machines. If s is 0, no bit is 1.
func fuzzySum(counts *[Buckets]uint64, t float64) (s Sum) {
	var n, q float64
	for _, c := range counts {
		n += float64(c)
		q += float64(float64(c) * float64(c))
	}
	spread := float64(Buckets*q) - float64(n*n)
	limit := t * math.Sqrt(Buckets*spread/(Buckets-1))
	for i, c := range counts {
		if float64(Buckets*float64(c))-n > limit {
			s[i/8] |= 0x80 >> (i % 8)
		}
	}
	return s
}
