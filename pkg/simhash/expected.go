package simhash

import (
	"math"
	"slices"
)

// Expected returns the probability that Rotation finds a pair at distance d among n hashes of
// the given width that look random, with the d different bits at random positions, 0 <= d <=
// width: the S-curve of the search.
//
// The d bits divide the circle of width bits into d runs of equal bits. When the run of r bits
// is on top, the two hashes agree in r bits and then differ, so about (n-2)/2^(r+1) of the n-2
// others sort between them; the pair is found if fewer than window-1 do. The curve sums over all
// ways to divide the circle and treats the runs as independent. It is within 0.03 of the
// measured share: see TestExpected.
func Expected(n, width, window, d int) float64 {
	if d == 0 {
		return 1
	}
	miss := make([]float64, width+1)
	for r := range miss {
		// below sums the probabilities that 0 to window-2 events of a Poisson process with this
		// mean happen.
		mean := float64(max(n-2, 0)) / math.Exp2(float64(r+1))
		term, below := math.Exp(-mean), 0.0
		for i := range min(window-1, n) {
			below += term
			term *= mean / float64(i+1)
		}
		miss[r] = 1 - below
	}
	// ways[s] and missed[s] sum over the runs so far, s bits in all: the number of ways, and
	// that number weighted with the probability that no run finds the pair.
	ways, missed := make([]float64, width-d+1), make([]float64, width-d+1)
	ways[0], missed[0] = 1, 1
	ones := slices.Repeat([]float64{1}, width+1)
	for range d {
		ways = convolve(ways, ones)
		missed = convolve(missed, miss)
	}
	return 1 - missed[width-d]/ways[width-d]
}

// convolve adds one more run to the sums; a run of r bits has the weight weight[r].
func convolve(sums, weight []float64) []float64 {
	out := make([]float64, len(sums))
	for s, x := range sums {
		for r := 0; s+r < len(out); r++ {
			out[s+r] += x * weight[r]
		}
	}
	return out
}
