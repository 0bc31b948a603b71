package measure

import (
	"cmp"
	"math"
	"slices"

	"doppel/pkg/jaccard"
)

// Kept is the fate of a record that was not dropped. The fate of a dropped record is the number
// of the record kept in its place.
const Kept = -1

// A Share holds a number of things (Of), and how many of them have some property (Part).
type Share struct{ Part, Of int }

// Value returns the quotient Part/Of, or 1 if both are 0, because nothing was missed.
func (s Share) Value() float64 {
	if s.Of == 0 {
		return 1
	}
	return float64(s.Part) / float64(s.Of)
}

// add counts one more thing, which has the property if the argument is true.
func (s *Share) add(in bool) {
	s.Of++
	if in {
		s.Part++
	}
}

// Recall considers the pairs with a similarity of at least t, and returns the share of them that
// lost at least one record. The slice fate holds Kept, or the number of the record kept instead,
// for each record.
func Recall(pairs []Pair, fate []int32, t float64) (s Share) {
	for _, p := range pairs {
		if p.Similarity >= t {
			s.add(fate[p.A] != Kept || fate[p.B] != Kept)
		}
	}
	return s
}

// Precision returns the share of dropped records that have a similarity of at least t to the record
// kept in their place.
func Precision(sets [][]uint64, fate []int32, t float64) (s Share) {
	for i, kept := range fate {
		if kept != Kept {
			a, b := sets[i], sets[kept]
			s.add(jaccard.Similarity(len(a), len(b), jaccard.Shared(a, b, 0)) >= t)
		}
	}
	return s
}

// A Bin is a range of similarity, [Low, High); the last bin includes 1.
type Bin struct {
	Low, High float64
	Found     Share   // pairs in the range that became candidates
	Expected  float64 // expected share: the mean theoretical probability that a pair in the range is found
}

// Curve divides the pairs by similarity into n bins from floor to 1. For each bin, it computes the
// share of the pairs that were found, and the expected share. The function curve returns the
// theoretical probability that a pair of similarity j is found.
func Curve(pairs []Pair, found func(a, b uint32) bool, curve func(j float64) float64, floor float64, n int) []Bin {
	bins := make([]Bin, n)
	width := (1 - floor) / float64(n)
	for i := range bins {
		bins[i].Low, bins[i].High = floor+width*float64(i), floor+width*float64(i+1)
	}
	for _, p := range pairs {
		if p.Similarity < floor {
			continue
		}
		b := &bins[min(int((p.Similarity-floor)/width+1e-9), n-1)]
		b.Found.add(found(p.A, p.B))
		b.Expected += curve(p.Similarity)
	}
	for i := range bins {
		bins[i].Expected /= float64(max(bins[i].Found.Of, 1))
	}
	return bins
}

// Closest returns the n pairs whose similarities are closest to t, the closest first. If there are
// fewer pairs, it returns all of them. A person who chooses a threshold t should look at these
// pairs.
func Closest(pairs []Pair, t float64, n int) []Pair {
	near := slices.Clone(pairs)
	slices.SortStableFunc(near, func(p, q Pair) int {
		return cmp.Compare(math.Abs(p.Similarity-t), math.Abs(q.Similarity-t))
	})
	return near[:min(n, len(near))]
}
