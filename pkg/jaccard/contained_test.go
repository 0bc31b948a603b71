package jaccard

import "testing"

// NeedContained is the least number with which the containment is reached.
func TestNeedContained(t *testing.T) {
	for na := range 20 {
		for nb := range 20 {
			for _, threshold := range []float64{0, .1, .25, 1. / 3, .5, .7, .9, 1} {
				need := NeedContained(na, nb, threshold)
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
