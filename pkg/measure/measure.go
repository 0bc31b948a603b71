package measure

import (
	"cmp"
	"math"

	"doppel/pkg/fingerprint"
	"doppel/pkg/jaccard"
	"doppel/pkg/topk"
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

// An Estimate is a share of things that are found in groups, such as the pairs of a group of
// similar records.
type Estimate struct {
	Share
	squares float64 // sum of the squares of the numbers of things in each group
}

// Interval returns the limits of the 95 % confidence interval of the share. Things of one group
// mostly have the property together, so a group counts as one thing: the interval is Wilson's for
// the number of independent things that is equivalent to the groups, (Σn)²/Σn² for groups of n
// things.
func (e Estimate) Interval() (low, high float64) {
	if e.Of == 0 {
		return 0, 1
	}
	n := math.Floor(float64(e.Of) / e.squares * float64(e.Of) * (1 + 1e-12))
	hits := n * e.Value()
	return fingerprint.Wilson(int(math.Floor(hits)), int(n), fingerprint.Confidence95).Low,
		fingerprint.Wilson(int(math.Ceil(hits)), int(n), fingerprint.Confidence95).High
}

// A Recall considers the pairs with a similarity of at least a threshold, and counts how many of
// them lost at least one record.
type Recall struct {
	t      float64
	fate   []int32
	all    Share
	counts []int // for each record, the number of pairs of which it is the first record
	parent []uint32
}

// NewRecall returns a Recall for the threshold t. The slice fate holds Kept, or the number of the
// record kept instead, for each record.
func NewRecall(fate []int32, t float64) *Recall {
	r := &Recall{t: t, fate: fate, counts: make([]int, len(fate)), parent: make([]uint32, len(fate))}
	for i := range r.parent {
		r.parent[i] = uint32(i)
	}
	return r
}

// Add counts a pair.
func (r *Recall) Add(p Pair) {
	if p.Similarity < r.t {
		return
	}
	r.all.add(r.fate[p.A] != Kept || r.fate[p.B] != Kept)
	r.counts[p.A]++
	r.parent[r.root(p.A)] = r.root(p.B)
}

func (r *Recall) root(a uint32) uint32 {
	for r.parent[a] != a {
		r.parent[a] = r.parent[r.parent[a]]
		a = r.parent[a]
	}
	return a
}

// Estimate returns the share of the pairs that lost a record. Pairs that are linked by records are
// one group.
func (r *Recall) Estimate() Estimate {
	groups := make([]int, len(r.counts))
	for i, n := range r.counts {
		groups[r.root(uint32(i))] += n
	}
	return Estimate{r.all, sumSquares(groups)}
}

func sumSquares(groups []int) (sum float64) {
	for _, n := range groups {
		sum += float64(n) * float64(n)
	}
	return sum
}

// Precision returns the share of dropped records that have a similarity of at least t to the record
// kept in their place. The records with one kept record are one group.
func Precision(sets [][]uint64, fate []int32, t float64) (e Estimate) {
	groups := make([]int, len(fate))
	for i, kept := range fate {
		if kept != Kept {
			a, b := sets[i], sets[kept]
			e.add(jaccard.Similarity(len(a), len(b), jaccard.Shared(a, b, 0)) >= t)
			groups[kept]++
		}
	}
	e.squares = sumSquares(groups)
	return e
}

// A Bin is a range of similarity, [Low, High); the last bin includes 1.
type Bin struct {
	Low, High float64
	Found     Share   // pairs in the range that became candidates
	Expected  float64 // expected share: the mean theoretical probability that a pair in the range is found
}

// A Curve divides the pairs by similarity into bins from floor to 1. For each bin, it computes the
// share of the pairs that were found, and the expected share.
type Curve struct {
	Bins  []Bin
	floor float64
	width float64
}

// NewCurve returns a curve of n bins.
func NewCurve(floor float64, n int) *Curve {
	c := &Curve{Bins: make([]Bin, n), floor: floor, width: (1 - floor) / float64(n)}
	for i := range c.Bins {
		c.Bins[i].Low, c.Bins[i].High = floor+c.width*float64(i), floor+c.width*float64(i+1)
	}
	return c
}

// Add counts a pair. The last argument is the theoretical probability that a pair of its similarity
// is found.
func (c *Curve) Add(p Pair, found bool, expected float64) {
	if p.Similarity < c.floor {
		return
	}
	b := &c.Bins[min(int((p.Similarity-c.floor)/c.width+1e-9), len(c.Bins)-1)]
	b.Found.add(found)
	b.Expected += (expected - b.Expected) / float64(b.Found.Of)
}

// Closest returns a list that keeps the n pairs whose similarities are closest to t, the closest
// first. A person who chooses a threshold t should look at these pairs.
func Closest(t float64, n int) *topk.List[Pair] {
	return &topk.List[Pair]{Size: n, Compare: func(p, q Pair) int {
		return cmp.Or(cmp.Compare(math.Abs(p.Similarity-t), math.Abs(q.Similarity-t)), cmp.Compare(p.A, q.A), cmp.Compare(p.B, q.B))
	}}
}
