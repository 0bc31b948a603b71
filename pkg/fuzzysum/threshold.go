package fuzzysum

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// studentT returns the number of standard deviations for a confidence level
// in percent: a quantile of Student's distribution with Buckets-1 degrees of
// freedom. It is infinite at 100 %, and one-sided at 0 %.
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
	return distuv.StudentsT{Sigma: 1, Nu: Buckets - 1}.Quantile(p)
}

// standOut returns the sum whose bit i is 1 where counts[i] > m + t·s, m being the
// mean of the counts and s their sample standard deviation. Multiplied by 128,
// and with n the sum of the counts and q that of their squares, this reads
//
//	128·counts[i] - n > t·√(128·(128·q - n²)/127)
//
// which needs no rounding up to the product with t, so that machines agree. The
// conversions keep a compiler from fusing operations. With s = 0 no bit is 1.
func standOut(counts *[Buckets]uint64, t float64) (s Sum) {
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
