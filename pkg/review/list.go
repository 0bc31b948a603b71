package review

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"doppel/pkg/review/judgement"
	"doppel/pkg/spill"
)

// A List is pairs in the order in which they came. One goroutine may add while
// others read.
type List struct {
	mu     sync.Mutex
	more   *sync.Cond
	log    spill.Log
	ends   []int64 // of each line
	scores []float64
	passed int // decisions that name no pair
	ended  bool
	err    error
}

// NewList returns an empty list.
func NewList() *List {
	l := &List{}
	l.more = sync.NewCond(&l.mu)
	return l
}

// Add appends the pair of a line, which it copies.
func (l *List) Add(text []byte) error {
	p, ok, err := judgement.Parse(text)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !ok {
		l.passed++
		return nil
	}
	if _, err := l.log.Write(text); err != nil {
		return err
	}
	l.ends, l.scores = append(l.ends, l.log.Len()), append(l.scores, p.Score)
	if len(l.ends)&(len(l.ends)-1) == 0 { // who waits need not be woken by each
		l.more.Broadcast()
	}
	return nil
}

// End says that no more will come, since all did or because of err.
func (l *List) End(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended, l.err = true, err
	l.more.Broadcast()
}

// Wait waits for more than n pairs, or for the end. It wakes late by up to as many as
// there are.
func (l *List) Wait(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.ends) <= n && !l.ended {
		l.more.Wait()
	}
}

// A Status is what is known of a list.
type Status struct {
	Pairs  int
	Passed int // decisions without a second record, which nobody can compare
	Ended  bool
	Err    error // why the list ended early
}

// Status returns what is known by now.
func (l *List) Status() Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Status{len(l.ends), l.passed, l.ended, l.err}
}

func (l *List) at(i int) (judgement.Pair, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	start := int64(0)
	if i > 0 {
		start = l.ends[i-1]
	}
	text := make([]byte, l.ends[i]-start)
	if _, err := l.log.ReadAt(text, start); err != nil {
		return judgement.Pair{}, err
	}
	p, _, err := judgement.Parse(text)
	return p, err
}

// known returns the scores by now.
func (l *List) known() []float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.scores // what is added later is behind them
}

// closest returns the pair of those that came whose score is closest to x, the first
// of several; -1 if none has one.
func (l *List) closest(x float64) int {
	best, least := -1, math.Inf(1)
	for i, s := range l.known() {
		if d := math.Abs(s - x); d < least {
			best, least = i, d
		}
	}
	return best
}

// Nearest returns the numbers of all pairs, those whose scores are nearest to a cut
// first, those without a score last. There are many of one score, so those stand in an
// order that is as good as drawn, and the same each time: in the order of their ids a
// look at the first of them would be one at the start of the dataset.
//
// They are sorted by numbers that say how far a score is away, in the four decimals that
// scores have, so that .7 and .9 are as far from .8, and in the lower half which place was
// drawn: a million in .6 seconds on two busy cores, and as scores in 6.5
// (go test -bench Nearest).
func (l *List) Nearest(cut float64) []int32 {
	type place struct {
		key    uint64
		number int32
	}
	scores := l.known()
	places := make([]place, len(scores))
	for i, s := range scores {
		far := uint64(math.MaxUint32) // that or more, or no score
		if x := math.Round(math.Abs(s-cut) * 1e4); x < math.MaxUint32 {
			far = uint64(x)
		}
		x := uint32(i) // the finalizer of Murmur3, of which no two numbers have the same
		x = (x ^ x>>16) * 0x85ebca6b
		x = (x ^ x>>13) * 0xc2b2ae35
		places[i] = place{far<<32 | uint64(x^x>>16), int32(i)}
	}
	slices.SortFunc(places, func(p, q place) int { return cmp.Compare(p.key, q.key) })
	order := make([]int32, len(places))
	for i, p := range places {
		order[i] = p.number
	}
	return order
}

// Above returns how many pairs have a score of x or more.
func (l *List) Above(x float64) (n int) {
	for _, s := range l.known() {
		if s >= x {
			n++
		}
	}
	return n
}

// Histogram returns how many scores lie in each of n ranges from low to 1, the last one
// with 1.
func (l *List) Histogram(low float64, n int) []int {
	counts := make([]int, n)
	for _, s := range l.known() {
		switch {
		case s >= 1:
			counts[n-1]++
		case s >= low:
			counts[min(n-1, int((s-low)/(1-low)*float64(n)+1e-9))]++
		}
	}
	return counts
}

// Close gives up the scratch file.
func (l *List) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.log.Close()
}

// A Group is the pairs of one first record: in decisions, of one that is kept.
type Group struct {
	A     string
	Pairs int
	First int // the number of its first pair
}

// Groups returns the groups of a list, the largest first, those of one size in the
// order in which they came.
func (l *List) Groups() ([]Group, error) {
	at := map[string]int{}
	var all []Group
	for i, n := 0, l.Status().Pairs; i < n; i++ {
		p, err := l.at(i)
		if err != nil {
			return nil, err
		}
		g, known := at[p.A]
		if !known {
			g, at[p.A] = len(all), len(all)
			all = append(all, Group{A: p.A, First: i})
		}
		all[g].Pairs++
	}
	slices.SortStableFunc(all, func(a, b Group) int { return cmp.Compare(b.Pairs, a.Pairs) })
	return all, nil
}
