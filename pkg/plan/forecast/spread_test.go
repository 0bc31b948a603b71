package forecast

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestUnthin checks that Unthin recovers the distribution of the numbers of partners from a sample,
// within a tolerance.
func TestUnthin(t *testing.T) {
	none := func(n int) float64 { return float64(1 - min(n, 1)) }
	for name, tc := range map[string]struct {
		partners []Seen // numbers of partners of successive records, repeated cyclically
		rates    Rates
		within   float64 // tolerance for the share of records without partners
	}{
		"none":              {[]Seen{{0, 0}}, Rates{.1, .1}, 1e-9},
		"all of one":        {[]Seen{{1, 0}, {0, 0}}, Rates{1, 1}, 1e-9},
		"one of two":        {[]Seen{{1, 0}, {0, 0}}, Rates{.25, .25}, .1},
		"nine of all":       {[]Seen{{9, 0}}, Rates{.06, .06}, .1},
		"forty of a tenth":  {[]Seen{{40, 0}, {}, {}, {}, {}, {}, {}, {}, {}, {}}, Rates{.06, .06}, .1},
		"in files of a few": {[]Seen{{3, 0}, {0, 8}, {0, 0}, {0, 0}}, Rates{1, .1}, .1},
	} {
		t.Run(name, func(t *testing.T) {
			random, seen := rand.New(rand.NewPCG(3, 4)), map[Seen]int{}
			thin := func(n int, rate float64) (k int) {
				for range n {
					if random.Float64() < rate {
						k++
					}
				}
				return k
			}
			mean, without := 0.0, 0.0
			for i := range 40_000 {
				d := tc.partners[i%len(tc.partners)]
				seen[Seen{thin(d.Within, tc.rates.Within), thin(d.Across, tc.rates.Across)}]++
				mean += float64(d.Within+d.Across) / 40_000
				without += none(d.Within+d.Across) / 40_000
			}
			s := Unthin(seen, tc.rates)
			if got := s.Mean(func(n int) float64 { return float64(n) }); math.Abs(got-mean) > .05*mean {
				t.Errorf("mean %v, want %v", got, mean)
			}
			if got := s.Mean(none); math.Abs(got-without) > tc.within {
				t.Errorf("without partners %v, want %v", got, without)
			}
			if got := s.Mean(func(int) float64 { return 1 }); math.Abs(got-1) > 1e-6 {
				t.Errorf("weights add up to %v", got)
			}
		})
	}
}
