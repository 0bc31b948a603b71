package group

import (
	"cmp"
	"slices"

	"doppel/pkg/radix"
)

// An election is a Decide under way.
type election struct {
	*Leaders
	scorer   Scorer
	rule     Rule
	equals   []uint32 // the ranks that are equal to a better one
	pairs    []uint64 // of classes, sorted
	open     []leader
	compared int64
}

// A leader is a kept record with which one is to be compared.
type leader struct {
	rank uint32
	most int // what its score can be
}

// join makes classes of equal records.
func (d *election) join(pairs []uint64) error {
	for _, p := range pairs {
		a, b := d.kept.Root(uint32(p)), d.kept.Root(uint32(p>>32))
		if a == b {
			continue
		}
		equal, err := d.scorer.Equal(a, b)
		if err != nil {
			return err
		}
		if equal {
			d.compared++
			root := d.kept.Join(a, b)
			d.equals = append(d.equals, max(a, b))
			d.score[root] = paired
		}
	}
	for _, rank := range d.equals {
		d.kept[rank] = d.kept.Root(rank)
	}
	return nil
}

// contract makes of pairs of records pairs of classes, and sorts them.
func (d *election) contract(pairs []uint64) []uint64 {
	if len(d.equals) > 0 {
		kept := pairs[:0]
		for _, p := range pairs {
			a, b := d.kept.Root(uint32(p)), d.kept.Root(uint32(p>>32))
			if a != b {
				kept = append(kept, pairOf(a, b))
			}
		}
		pairs = kept
	}
	pairs = radix.Sort(pairs, make([]uint64, len(pairs)), radix.First)
	return slices.Compact(pairs)
}

func pairOf(a, b uint32) uint64 { return uint64(max(a, b))<<32 | uint64(min(a, b)) }

// lead decides of the classes in the order of their ranks.
func (d *election) lead(pairs []uint64) error {
	for d.pairs = pairs; len(pairs) > 0; {
		worse, n := uint32(pairs[0]>>32), 1
		for n < len(pairs) && uint32(pairs[n]>>32) == worse {
			n++
		}
		d.lineUp(worse, pairs[:n])
		if err := d.choose(worse); err != nil {
			return err
		}
		pairs = pairs[n:]
	}
	return nil
}

// lineUp sets the leaders that a record could follow, the most promising first.
func (d *election) lineUp(worse uint32, pairs []uint64) {
	d.open = d.open[:0]
	for _, p := range pairs {
		if better := uint32(p); d.kept[better] == better {
			d.open = append(d.open, leader{better, d.scorer.Most(worse, better)})
		}
	}
	slices.SortFunc(d.open, func(a, b leader) int {
		return cmp.Or(cmp.Compare(b.most, a.most), cmp.Compare(a.rank, b.rank))
	})
}

// choose finds the leader with the highest score, of equal ones the best ranked.
func (d *election) choose(worse uint32) error {
	best, score := worse, -1
	for _, c := range d.open {
		least := max(d.rule.Least, score)
		if c.rank > best || score < 0 {
			least = max(d.rule.Least, score+1)
		}
		if score >= 0 && d.atMost(c, best, score) < least || c.most < least {
			continue
		}
		d.compared++
		got, err := d.scorer.Score(worse, c.rank, least)
		if err != nil {
			return err
		}
		if got >= least {
			best, score = c.rank, got
		}
	}
	if score >= 0 {
		d.kept[worse], d.score[worse] = best, uint16(score)
		d.score[best] = paired
	}
	return nil
}

// atMost returns what the score of a record with a leader can be, if that with
// another one is score.
func (d *election) atMost(c leader, other uint32, score int) int {
	far := Scale + d.rule.Least - score - 1
	if !d.rule.Metric || far >= c.most {
		return c.most
	}
	if _, unlike := slices.BinarySearch(d.pairs, pairOf(c.rank, other)); unlike {
		return far // as both are kept, they were compared, and are no pair
	}
	return c.most
}

// pair finds out which kept records have a pair of which nobody has asked.
func (d *election) pair(pairs []uint64) error {
	for _, p := range pairs {
		a, b := uint32(p), uint32(p>>32)
		if !d.isAlone(a) && !d.isAlone(b) || d.kept[a] == a && d.kept[b] == b {
			continue
		}
		d.compared++
		score, err := d.scorer.Score(b, a, d.rule.Least)
		if err != nil {
			return err
		}
		for _, rank := range [...]uint32{a, b} {
			if score >= 0 && d.isAlone(rank) {
				d.score[rank] = paired
			}
		}
	}
	return nil
}

// isAlone reports whether a record is kept and no pair of it is known.
func (d *election) isAlone(rank uint32) bool {
	return d.kept[rank] == rank && d.score[rank] == alone
}

// follow has equal records fare as the best of them.
func (d *election) follow() {
	for _, rank := range d.equals {
		root := d.kept[rank]
		d.score[rank] = Scale
		if d.kept[root] != root {
			d.kept[rank], d.score[rank] = d.kept[root], d.score[root]
		}
	}
}
