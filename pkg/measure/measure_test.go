package measure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plainPairs returns the same pairs as EachPair, but compares every set with every other set.
func plainPairs(sets [][]uint64, floor float64) (all []Pair) {
	for a := range sets {
		for b := a + 1; b < len(sets); b++ {
			if j := plainSimilarity(sets[a], sets[b]); j >= floor {
				all = append(all, Pair{uint32(a), uint32(b), j})
			}
		}
	}
	return all
}

func plainSimilarity(a, b []uint64) float64 {
	union := slices.Concat(a, b)
	slices.Sort(union)
	n := len(slices.Compact(union))
	if n == 0 {
		return 0
	}
	return float64(len(a)+len(b)-n) / float64(n)
}

// related returns n random sets; most are random edits of earlier sets.
func related(r *rand.Rand, n, size int) [][]uint64 {
	var sets [][]uint64
	for range n {
		set := make([]uint64, 0, size)
		if len(sets) > 0 && r.IntN(4) > 0 {
			set = append(set, sets[r.IntN(len(sets))]...)
		}
		for len(set) < size {
			set = append(set, r.Uint64N(1<<40))
		}
		for range r.IntN(size/2 + 1) {
			set[r.IntN(len(set))] = r.Uint64N(1 << 40)
		}
		slices.Sort(set)
		sets = append(sets, slices.Compact(set)[r.IntN(size/4+1):])
	}
	return sets
}

func TestPairs(t *testing.T) {
	sets := append(related(rand.New(rand.NewPCG(1, 2)), 150, 60), nil, nil, []uint64{7}, []uint64{7})
	for _, floor := range []float64{0.01, 0.3, 0.5, 0.8, 1} {
		want := plainPairs(sets, floor)
		for _, jobs := range []int{1, 3} {
			if d := cmp.Diff(want, sortedPairs(sets, floor, jobs)); d != "" || len(want) == 0 {
				t.Errorf("floor %v, %d jobs: %s", floor, jobs, d)
			}
		}
	}
}

func FuzzPairs(f *testing.F) {
	f.Add([]byte("some bytes\x00and others, some of them the same\x00\x00bytes"), 0.2)
	f.Fuzz(func(t *testing.T, b []byte, floor float64) {
		if !(floor > 0 && floor <= 1) || len(b) > 1000 {
			return
		}
		sets := [][]uint64{nil}
		for _, c := range b {
			last := &sets[len(sets)-1]
			if *last = append(*last, uint64(c)); c == 0 {
				sets = append(sets, nil)
			}
		}
		for i := range sets {
			slices.Sort(sets[i])
			sets[i] = slices.Compact(sets[i])
		}
		if d := cmp.Diff(plainPairs(sets, floor), sortedPairs(sets, floor, 2)); d != "" {
			t.Error(d)
		}
	})
}

// fiveSets holds one set for each of five records, and fiveAll holds all pairs of similar records.
// Records 0, 1 and 2 are very similar; records 3 and 4 are less similar.
var (
	fiveSets = [][]uint64{{1, 2, 3, 4}, {1, 2, 3, 4}, {1, 2, 3, 4, 5}, {10, 11, 12}, {10, 11, 13}}
	fiveAll  = []Pair{{0, 1, 1}, {0, 2, .8}, {1, 2, .8}, {3, 4, .5}}
)

func TestFate(t *testing.T) {
	for _, c := range []struct {
		name              string
		fate              []int32
		t                 float64
		recall, precision Share
	}{
		{"all found", []int32{Kept, 0, 0, Kept, Kept}, .8, Share{3, 3}, Share{2, 2}},
		{"one missed", []int32{Kept, 0, Kept, Kept, Kept}, .8, Share{2, 3}, Share{1, 1}},
		{"one wrong", []int32{Kept, 0, 0, Kept, 3}, .8, Share{3, 3}, Share{2, 3}},
		{"a lower threshold", []int32{Kept, 0, 0, Kept, 3}, .5, Share{4, 4}, Share{3, 3}},
		{"both dropped", []int32{4, 3, 3, Kept, Kept}, .8, Share{3, 3}, Share{0, 3}},
		{"nothing dropped", []int32{Kept, Kept, Kept, Kept, Kept}, .9, Share{0, 1}, Share{0, 0}},
	} {
		recall := NewRecall(c.fate, c.t)
		for _, p := range fiveAll {
			recall.Add(p)
		}
		if got := recall.Estimate().Share; got != c.recall {
			t.Errorf("%s: recall %v, want %v", c.name, got, c.recall)
		}
		if got := Precision(fiveSets, c.fate, c.t).Share; got != c.precision {
			t.Errorf("%s: precision %v, want %v", c.name, got, c.precision)
		}
	}
}

func TestShare(t *testing.T) {
	if v := (Share{1, 4}).Value(); v != .25 {
		t.Error(v)
	}
	if v := (Share{}).Value(); v != 1 {
		t.Error("a share of nothing is", v)
	}
}

func TestCurve(t *testing.T) {
	curve := func(floor float64, n int) []Bin {
		c := NewCurve(floor, n)
		for _, p := range fiveAll {
			c.Add(p, p.A == 0, p.Similarity/2)
		}
		return c.Bins
	}
	want := []Bin{
		{.5, .6, Share{0, 1}, .25}, {.6, .7, Share{}, 0}, {.7, .8, Share{}, 0},
		{.8, .9, Share{1, 2}, .4}, {.9, 1, Share{1, 1}, .5},
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
	if d := cmp.Diff(want, curve(.5, 5), near); d != "" {
		t.Error(d)
	}
	if got := curve(.6, 1); got[0].Found.Of != 3 {
		t.Error("pairs below the floor are counted:", got)
	}
}

func TestClosest(t *testing.T) {
	for n, want := range map[int][]Pair{2: fiveAll[1:3], 9: {fiveAll[1], fiveAll[2], fiveAll[0], fiveAll[3]}} {
		list := Closest(.85, n)
		for _, i := range []int{3, 1, 0, 2} {
			if list.Takes(fiveAll[i]) {
				list.Add(fiveAll[i])
			}
		}
		if d := cmp.Diff(want, list.All); d != "" {
			t.Errorf("%d: %s", n, d)
		}
	}
}

// TestPairSet compares a PairSet with a map, and checks the memory that it takes if nearly all
// pairs are in it.
func TestPairSet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, count := range []int{0, 50, 3000, 60000} {
		const n = 300
		s, want := NewPairSet(n), map[[2]uint32]bool{}
		for range count {
			a, b := r.Uint32N(n), r.Uint32N(n)
			s.Add(a, b)
			want[[2]uint32{min(a, b), max(a, b)}] = true
		}
		for a := range uint32(n) {
			for b := range a {
				if got := s.Has(a, b); got != want[[2]uint32{b, a}] || got != s.Has(b, a) {
					t.Fatalf("%d pairs: %d %d: %v", count, a, b, got)
				}
			}
		}
		if got, most := s.Bytes(), n*(48+2*n/8+16); got > most {
			t.Errorf("%d pairs: %d bytes, want at most %d", count, got, most)
		}
	}
}

// TestInterval checks that the intervals cover the true share in 95 of 100 samples, whether or not
// the things of a group have the property together.
func TestInterval(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, tc := range []struct{ share, together float64 }{{.9, 0}, {.9, 1}, {.9, .5}, {.5, 1}, {.99, 1}} {
		const repetitions = 2000
		covered := 0
		for range repetitions {
			var e Estimate
			var groups []int
			for range 60 {
				n, all := 1+int(r.ExpFloat64()*5), r.Float64() < tc.share
				for range n {
					one := all
					if r.Float64() >= tc.together {
						one = r.Float64() < tc.share
					}
					e.add(one)
				}
				groups = append(groups, n)
			}
			e.squares = sumSquares(groups)
			if low, high := e.Interval(); low <= tc.share && tc.share <= high {
				covered++
			}
		}
		if covered < repetitions*93/100 {
			t.Errorf("%+v: %d of %d intervals cover the share", tc, covered, repetitions)
		}
	}
	if low, high := (Estimate{}).Interval(); low != 0 || high != 1 {
		t.Errorf("no things: %v to %v", low, high)
	}
}

func BenchmarkPairs(b *testing.B) {
	sets := related(rand.New(rand.NewPCG(1, 1)), 1000, 1000)
	bytes := 0
	for _, s := range sets {
		bytes += 8 * len(s)
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	for b.Loop() {
		sortedPairs(sets, 0.3, 2)
	}
}

// sortedPairs returns the pairs of EachPair, sorted by A, then B.
func sortedPairs(sets [][]uint64, floor float64, jobs int) []Pair {
	var all []Pair
	EachPair(sets, floor, jobs, func(p Pair) { all = append(all, p) })
	slices.SortFunc(all, func(p, q Pair) int { return slices.Compare([]uint32{p.A, p.B}, []uint32{q.A, q.B}) })
	return all
}
