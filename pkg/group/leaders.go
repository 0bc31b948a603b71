package group

import (
	"math"

	"doppel/pkg/spill"
	"doppel/pkg/spill/radix"
)

// Leaders decides like Greedy, but from pairs that are not compared yet: it asks for scores,
// but only for the ones it needs. It is the leader algorithm (Hartigan, 1975), in biology
// greedy incremental clustering: a record is compared only with earlier kept records, the
// leaders.
//
// Leaders skips:
//
//   - Pairs with a dropped record. In a group of n revisions that are all
//     similar, n-1 of n(n-1)/2 pairs remain.
//   - Repeated pairs of equal records: equal records are found first, and
//     their pairs become pairs of the best of them.
//   - Leaders that cannot be more similar to a record than the best so far: by
//     [Scorer.Most], or, if scores satisfy the triangle inequality, because they
//     were found not to be a pair with the best. If the score with one leader is s
//     and the score of the two leaders was below t, the score with the other is
//     below 1 + t - s: at t = 0.8 no leader can beat a score of 0.9. The most
//     promising leader comes first.
//   - Exact scores, for kept records without a known pair: here Leaders asks
//     only whether there is a pair, because such records have a decision.
//
// Cost: 6 bytes per record, 16 for each kept record paired with the record being decided,
// and 24 per pair of the components decided at a time; or the memory given to DecideSpilled.
// Several goroutines may decide different components.
//
// Measured on 108,717 revisions of web pages with 3,379,513 candidate pairs, 1.8 million of
// them with a similarity of 0.8: Greedy looks at 236,738 of them; Leaders compares 171,272,
// and finds 25,016 of these equal.
type Leaders struct {
	kept  Forest   // the classes of equal records, then as in Greedy
	score []uint16 // score of a dropped record; alone or paired for a kept record
}

// The values of Leaders.score for kept records.
const (
	alone  = 0
	paired = 1
)

// Scale is the score of equal records for Leaders, where scores are integers.
const Scale = 10000

// A Scorer compares records by their ranks.
type Scorer interface {
	// Equal reports whether two records are equal.
	Equal(a, b uint32) (bool, error)
	// Most returns a cheap upper bound of the score.
	Most(a, b uint32) int
	// Score returns the score of a pair if it is at least least; otherwise, or if the two are
	// not a pair, it returns -1.
	Score(a, b uint32, least int) (int, error)
}

// A Rule says what Leaders may assume about scores.
type Rule struct {
	Least  int  // the lowest score of a pair
	Metric bool // 1 - score satisfies the triangle inequality
}

// NewLeaders returns a Leaders for ranks below n, at most 2^32-1.
func NewLeaders(n int) *Leaders {
	return &Leaders{kept: NewForest(n), score: make([]uint16, n)}
}

// Decide decides the records of one or more components of candidate pairs. It takes all pairs
// of the components, as Worse<<32 | Better, in any order, and returns the number of
// comparisons, including comparisons that found equal records. It modifies pairs. Goroutines
// may decide different components at once.
func (l *Leaders) Decide(pairs []uint64, s Scorer, r Rule) (compared int64, err error) {
	d := &election{Leaders: l, scorer: s, rule: r, most: len(pairs)}
	defer d.deferred.Close()
	for _, p := range pairs {
		if err := d.joinEquals(p); err != nil {
			return d.compared, err
		}
	}
	if d.endJoining(); len(d.equals) > 0 {
		kept := pairs[:0]
		for _, p := range pairs {
			if p, ok := d.contractPair(p); ok {
				kept = append(kept, p)
			}
		}
		pairs = kept
	}
	if err := d.readPairs(radix.Sort(pairs, make([]uint64, len(pairs)), radix.First)); err != nil {
		return d.compared, err
	}
	return d.compared, d.decideRest()
}

// DecideSpilled is Decide for more pairs than fit into memory. Each passes all pairs to its
// argument, and is called twice. The pairs are sorted in mem bytes, at least leastMem, and in a
// scratch file, with 8 bytes per pair.
func (l *Leaders) DecideSpilled(each func(func(pair uint64) error) error, mem int64, s Scorer, r Rule) (compared int64, err error) {
	mem = max(mem, leastMem)
	d := &election{Leaders: l, scorer: s, rule: r, most: int(mem / 8 / 4)}
	defer d.deferred.Close()
	low, high := uint32(math.MaxUint32), uint32(0)
	if err := each(func(p uint64) error {
		low, high = min(low, uint32(p>>32)), max(high, uint32(p>>32))
		return d.joinEquals(p)
	}); err != nil {
		return d.compared, err
	}
	d.endJoining()
	parts := uint64(min(manyPartitions, mem/2/8/128)) // 128 pairs of each fit into memory
	sorter := spill.NewSorter[uint64](int(parts), mem/2)
	defer sorter.Close()
	err = each(func(p uint64) error {
		p, ok := d.contractPair(p)
		if !ok {
			return nil
		}
		// Contraction can make the worse rank of a pair lower than low.
		part := uint64(max(low, uint32(p>>32))-low) * parts / (uint64(high-low) + 1)
		return sorter.Add(int(part), p)
	})
	var room spill.Room[uint64]
	for p := 0; p < int(parts) && err == nil; p++ {
		err = sorter.Pieces(&room, p, int(mem/32), d.readPairs)
	}
	if err == nil {
		err = d.decideRest()
	}
	return d.compared, err
}

// manyPartitions is the maximum number of partitions in DecideSpilled; each is sorted whole or
// in pieces.
const manyPartitions = 2048

var leastMem int64 = 1 << 20 // less in tests

// Each calls emit with the decision for every rank that has a pair, in order.
func (l *Leaders) Each(emit func(Decision) error) error {
	for i, kept := range l.kept {
		d := Decision{Rank: uint32(i)}
		switch {
		case kept != d.Rank:
			d.Drop, d.Kept, d.Score = true, kept, float64(l.score[i])/Scale
		case l.score[i] == alone:
			continue
		}
		if err := emit(d); err != nil {
			return err
		}
	}
	return nil
}
