package simhash

import (
	"math"
	"slices"
)

// Expected returns the probability that Rotation finds a pair that differs in d random bits, 0 <= d
// <= width, among n random hashes of the given width. As a function of d, this probability is the
// S-curve of the search.
//
// If the bits of a hash are arranged in a circle, the d bits in which the pair differs divide it
// into d runs of equal bits. When rotation moves a run of r bits to the highest bits, the two
// hashes agree in r bits and then differ, so about (n-2)/2^(r+1) of the other n-2 hashes are
// between them in the sorted order. Rotation finds the pair if fewer than window-1 hashes are
// between the two. Expected averages over all ways to divide the circle, and treats the runs as
// independent. The result differs from the measured share by at most about 0.03; see TestExpected.
func Expected(n, width, window, d int) float64 {
	if d == 0 {
		return 1
	}
	miss := make([]float64, width+1)
	for r := range miss {
		// The sum of the terms is the probability that a Poisson variable with this mean is at most
		// window-2.
		mean := float64(max(n-2, 0)) / math.Exp2(float64(r+1))
		term, below := math.Exp(-mean), 0.0
		for i := range min(window-1, n) {
			below += term
			term *= mean / float64(i+1)
		}
		miss[r] = 1 - below
	}
	// After i iterations of the loop, ways[s] is the number of ways to divide s bits into i runs,
	// and missed[s] is the sum, over these ways, of the probability that none of the runs finds the
	// pair.
	ways, missed := make([]float64, width-d+1), make([]float64, width-d+1)
	ways[0], missed[0] = 1, 1
	ones := slices.Repeat([]float64{1}, width+1)
	for range d {
		ways = convolve(ways, ones)
		missed = convolve(missed, miss)
	}
	return 1 - missed[width-d]/ways[width-d]
}

// convolve adds one more run to the sums: element s of the result is the sum of sums[s-r]*weight[r]
// over all lengths r of this run.
func convolve(sums, weight []float64) []float64 {
	out := make([]float64, len(sums))
	for s, x := range sums {
		for r := 0; s+r < len(out); r++ {
			out[s+r] += x * weight[r]
		}
	}
	return out
}
