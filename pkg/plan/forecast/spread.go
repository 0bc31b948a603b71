package forecast

import (
	"maps"
	"math"
	"slices"
)

// Seen counts the partners of a record: those in the record's own file (Within), and those in other
// files (Across).
type Seen struct{ Within, Across int }

// A Spread estimates the distribution of the number of partners that a record has in the whole
// dataset. The partners of a record are the records that are paired with it. Each of the d partners
// of a record is in the sample with a known probability, so the number k of partners in the sample
// has a binomial distribution. A Spread gives each number d a weight, so that the mixture of these
// distributions makes the observed numbers k most likely (Kiefer and Wolfowitz 1956; Laird 1978).
// For example, a dataset with ten similar versions of each page and a dataset with one copy of
// every tenth page can have the same mean number of observed partners, but not the same number of
// records with two partners. The mixture distinguishes the two datasets as far as the sample
// allows.
type Spread struct {
	values  []Seen
	weights []float64
	rates   Rates
}

// Rates are the probabilities that a partner of a sampled record is also in the sample. Within
// applies to partners in the record's file, and Across to partners in other files.
type Rates struct{ Within, Across float64 }

const (
	maxIterations = 20_000      // maximum number of iterations; convergence is slow if several mixtures are almost equally likely
	maxWork       = 200_000_000 // approximate maximum number of multiplications in all iterations
	grow          = 1.25        // approximate ratio of successive results of possible, from 6 on
)

// Unthin estimates the Spread from a sample. seen[k] is the number of records that have k partners
// in the sample. Both rates must be greater than 0 and at most 1. Unthin takes at most a second.
func Unthin(seen map[Seen]int, r Rates) *Spread {
	s := &Spread{rates: r}
	total, cells := 0.0, slices.SortedFunc(maps.Keys(seen), func(a, b Seen) int {
		if a.Within != b.Within {
			return a.Within - b.Within
		}
		return a.Across - b.Across
	})
	within, across, mean := []int{}, []int{}, 0.0
	for _, k := range cells {
		n := float64(seen[k])
		within, across = append(within, k.Within), append(across, k.Across)
		mean += n * (float64(k.Within)/r.Within + float64(k.Across)/r.Across)
		total += n
	}
	for _, w := range possible(within, r.Within) {
		for _, a := range possible(across, r.Across) {
			s.values = append(s.values, Seen{w, a})
		}
	}
	s.begin(mean / total)
	likely := make([][]float64, len(cells))
	for i, k := range cells {
		likely[i] = make([]float64, len(s.values))
		for j, d := range s.values {
			likely[i][j] = binomial(k.Within, d.Within, r.Within) * binomial(k.Across, d.Across, r.Across)
		}
	}
	next := make([]float64, len(s.values))
	for range min(maxIterations, 1+maxWork/(len(cells)*len(s.values))) {
		clear(next)
		for i, k := range cells {
			sum := dot(likely[i], s.weights)
			if sum == 0 {
				continue
			}
			share := float64(seen[k]) / total / sum
			for j, l := range likely[i] {
				next[j] += share * l * s.weights[j]
			}
		}
		copy(s.weights, next)
	}
	return s
}

// begin sets the initial weights. They have the observed mean and favour small numbers of partners.
// If the sample is too small to distinguish between mixtures, the iteration stays near these
// weights.
func (s *Spread) begin(mean float64) {
	s.weights = make([]float64, len(s.values))
	sum, first := 0.0, 0.0
	for i, d := range s.values {
		if n := float64(d.Within + d.Across); n > 0 {
			s.weights[i] = math.Pow(n, -0.5)
			sum, first = sum+s.weights[i], first+n*s.weights[i]
		}
	}
	paired := 0.0
	if sum > 0 {
		paired = min(.9, mean*sum/first)
	}
	for i, d := range s.values {
		if d == (Seen{}) {
			s.weights[i] = 1 - paired
		} else {
			s.weights[i] *= paired / sum
		}
	}
}

// possible returns the numbers of partners that records may have in the whole dataset, given the
// numbers seen in the sample. The rate is the probability that a partner is in the sample. Some of
// the numbers above 6 are left out.
func possible(seen []int, rate float64) []int {
	most := slices.Max(seen)
	if rate == 1 {
		slices.Sort(seen)
		return append([]int{0}, slices.DeleteFunc(slices.Compact(seen), func(n int) bool { return n == 0 })...)
	}
	values := []int{0}
	if most == 0 {
		return values
	}
	for n := 1.0; n < grow*(float64(most)+3*math.Sqrt(float64(most)))/rate+1; n = max(n+1, math.Round(n*grow)) {
		values = append(values, int(n))
	}
	return values
}

// binomial returns the probability that a sample drawn at the given rate contains k of n partners.
func binomial(k, n int, rate float64) float64 {
	switch {
	case k > n:
		return 0
	case rate == 1 || n == 0:
		if k == n {
			return 1
		}
		return 0
	}
	choose := lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1)
	return math.Exp(choose + float64(k)*math.Log(rate) + float64(n-k)*math.Log1p(-rate))
}

func lgamma(n int) float64 {
	v, _ := math.Lgamma(float64(n))
	return v
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// Mean returns the mean of f over all records. The argument of f is the number of a record's
// partners.
func (s *Spread) Mean(f func(partners int) float64) (mean float64) {
	for i, d := range s.values {
		mean += s.weights[i] * f(d.Within+d.Across)
	}
	return mean
}

// Given returns the mean of f over the records that have k partners in the sample.
func (s *Spread) Given(k Seen, f func(partners int) float64) float64 {
	sum, mean := 0.0, 0.0
	for i, d := range s.values {
		w := s.weights[i] * binomial(k.Within, d.Within, s.rates.Within) * binomial(k.Across, d.Across, s.rates.Across)
		sum, mean = sum+w, mean+w*f(d.Within+d.Across)
	}
	if sum == 0 {
		return f(k.Within + k.Across)
	}
	return mean / sum
}
