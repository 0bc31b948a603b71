package jaccard

import "testing"

// TestMeasureNeed checks that Need returns the minimum number of shared elements for which the
// similarity and the score are high enough.
func TestMeasureNeed(t *testing.T) {
	for name, c := range map[string]struct {
		Measure
		share func(na, nb, shared int) float64
	}{
		"resemblance": {Resemblance, Similarity},
		"containing":  {Containing, func(na, nb, shared int) float64 { return Containment(min(na, nb), shared) }},
	} {
		m := c.Measure
		for na := range 30 {
			for nb := range 30 {
				for _, threshold := range []float64{0, .3, .33333, .8, .80004, 1} {
					for _, least := range []int{0, 1, 3333, 8000, 8500, 9998, 9999, 10000} {
						want := 0
						for want <= min(na, nb) && (c.share(na, nb, want) < threshold || m.Score(na, nb, want) < least) {
							want++
						}
						if got := m.Need(na, nb, threshold, least); got != want && min(got, want) <= min(na, nb) {
							t.Fatalf("%s: sizes %d and %d, %v, score %d: need %d, want %d", name, na, nb, threshold, least, got, want)
						}
					}
				}
			}
		}
	}
}

func TestScore(t *testing.T) {
	for _, tc := range []struct{ na, nb, shared, resemblance, containing int }{
		{0, 0, 0, 0, 0},
		{4, 0, 0, 0, 0},
		{4, 3, 2, 4000, 6666},
		{3, 5, 3, 6000, 9999},
		{3, 3, 3, 10000, 10000},
		{20001, 20000, 20000, 9999, 9999},
		{100_000, 100_000, 99_999, 9999, 9999},
	} {
		if got := Resemblance.Score(tc.na, tc.nb, tc.shared); got != tc.resemblance {
			t.Errorf("%+v: resemblance %d", tc, got)
		}
		if got := Containing.Score(tc.na, tc.nb, tc.shared); got != tc.containing {
			t.Errorf("%+v: containing %d", tc, got)
		}
	}
}
