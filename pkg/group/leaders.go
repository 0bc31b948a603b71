package group

import (
	"math"

	"doppel/pkg/spill"
	"doppel/pkg/spill/radix"
)

// Leaders decides as Greedy does, but of pairs that nobody has compared yet: it
// asks for scores, and for no more than it needs. It is the leader algorithm
// (Hartigan, 1975), in biology greedy incremental clustering: a record is compared
// with kept ones alone, the leaders of what was before it.
//
// What it does not ask for:
//
//   - Pairs with a record that is dropped. In a group of n revisions that all
//     are alike n-1 of n(n-1)/2 pairs are left.
//   - Pairs of equal records but once: equal ones are found first, and their
//     pairs are those of the best of them.
//   - Kept ones that cannot be more like a record than the best so far: those of
//     which [Scorer.Most] says so, and, where scores keep the triangle inequality,
//     those that were found unlike the best. If the score with one leader is s
//     and that of the leaders was below t, the other one's is below 1 + t - s:
//     at t = 0.8 nothing can beat a score of 0.9. The most promising comes first.
//   - Anything but whether there is a pair at all, of kept records for which the
//     above has found none: they have a decision if they have a pair.
//
// Cost: 6 bytes a record, 16 for each kept record that one record is paired with, and 24
// a pair of the components decided at a time; or as much memory as DecideSpilled is
// given. Several goroutines may decide different components.
//
// Measured on 108,717 revisions of web pages with 3,379,513 candidates, of which
// 1.8 million are pairs of a similarity of 0.8: Greedy looks at 236,738 of them,
// Leaders compare 171,272, of which 25,016 are found equal.
type Leaders struct {
	kept  Forest   // the classes of equal records, and then as in Greedy
	score []uint16 // of a dropped record; of a kept one whether it has a pair
}

// The scores of kept records.
const (
	alone  = 0
	paired = 1
)

// Scale is the score of equal records for Leaders, to which scores are whole
// numbers.
const Scale = 10000

// A Scorer compares records by their ranks.
type Scorer interface {
	// Equal reports whether two records are equal.
	Equal(a, b uint32) (bool, error)
	// Most returns a score that the two do not exceed, and costs little.
	Most(a, b uint32) int
	// Score returns the score of a pair if that is at least least, and else, or
	// if the two are no pair, -1.
	Score(a, b uint32, least int) (int, error)
}

// A Rule says what a Leaders may take for granted of scores.
type Rule struct {
	Least  int  // the lowest that a pair can have
	Metric bool // 1 - score keeps the triangle inequality
}

// NewLeaders returns a Leaders for ranks below n, at most 2^32-1.
func NewLeaders(n int) *Leaders {
	return &Leaders{kept: NewForest(n), score: make([]uint16, n)}
}

// Decide decides the records of one or more components of candidate pairs. It takes all
// pairs of the components, as Worse<<32 | Better, in any order, and returns the number
// of comparisons, those that found equal records included. The pairs are changed.
// Goroutines may decide different components at once.
func (l *Leaders) Decide(pairs []uint64, s Scorer, r Rule) (compared int64, err error) {
	d := &election{Leaders: l, scorer: s, rule: r, most: len(pairs)}
	defer d.unasked.Close()
	for _, p := range pairs {
		if err := d.join(p); err != nil {
			return d.compared, err
		}
	}
	if d.joined(); len(d.equals) > 0 {
		kept := pairs[:0]
		for _, p := range pairs {
			if p, ok := d.contract(p); ok {
				kept = append(kept, p)
			}
		}
		pairs = kept
	}
	if err := d.lead(radix.Sort(pairs, make([]uint64, len(pairs)), radix.First)); err != nil {
		return d.compared, err
	}
	return d.compared, d.end()
}

// DecideSpilled is Decide for more pairs than fit into memory. Each hands all pairs to
// its argument, and is called twice. The pairs are sorted in mem bytes, at least leastMem,
// and a scratch file, where they take 8 bytes each.
func (l *Leaders) DecideSpilled(each func(func(pair uint64) error) error, mem int64, s Scorer, r Rule) (compared int64, err error) {
	mem = max(mem, leastMem)
	d := &election{Leaders: l, scorer: s, rule: r, most: int(mem / 8 / 4)}
	defer d.unasked.Close()
	low, high := uint32(math.MaxUint32), uint32(0)
	if err := each(func(p uint64) error {
		low, high = min(low, uint32(p>>32)), max(high, uint32(p>>32))
		return d.join(p)
	}); err != nil {
		return d.compared, err
	}
	d.joined()
	parts := uint64(min(manyPartitions, mem/2/8/128)) // of each 128 pairs fit into memory
	sorter := spill.NewSorter[uint64](int(parts), mem/2)
	defer sorter.Close()
	err = each(func(p uint64) error {
		p, ok := d.contract(p)
		if !ok {
			return nil
		}
		// Contraction can make the worse rank of a pair lower than low.
		part := uint64(max(low, uint32(p>>32))-low) * parts / (uint64(high-low) + 1)
		return sorter.Add(int(part), p)
	})
	var room spill.Room[uint64]
	for p := 0; p < int(parts) && err == nil; p++ {
		err = sorter.Pieces(&room, p, int(mem/32), d.lead)
	}
	if err == nil {
		err = d.end()
	}
	return d.compared, err
}

// manyPartitions are the most by which DecideSpilled sorts, each at once or in pieces.
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
