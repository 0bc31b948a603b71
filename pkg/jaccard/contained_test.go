package jaccard

import "testing"

// TestContainingNeed checks that Containing.Need returns the minimum number of shared elements that
// gives at least the required containment.
func TestContainingNeed(t *testing.T) {
	for na := range 20 {
		for nb := range 20 {
			for _, threshold := range []float64{0, .1, .25, 1. / 3, .5, .7, .9, 1} {
				need := Containing.Need(na, nb, threshold, 0)
				if need > 0 && Containment(min(na, nb), need-1) >= threshold {
					t.Errorf("%d, %d, %v: %d is more than needed", na, nb, threshold, need)
				}
				if need <= min(na, nb) && Containment(min(na, nb), need) < threshold {
					t.Errorf("%d, %d, %v: %d is not enough", na, nb, threshold, need)
				}
			}
		}
	}
}
