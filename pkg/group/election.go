package group

import (
	"slices"

	"doppel/pkg/spill/radix"
)

// An election holds the state of one call of Decide or DecideSpilled.
type election struct {
	*Leaders
	scorer   Scorer
	rule     Rule
	equals   []uint64 // records that equal a better record, in the low halves; after endJoining, sorted by the rank of that record in the high halves
	compared int64

	worse        uint32                   // current rank: the one whose pairs are being read
	last         uint64                   // last pair read, to skip repeats
	leaders, tmp []uint64                 // leaders paired with the current rank; high half: Scale minus an upper bound on the score, low half: rank of the leader
	dropped      []uint32                 // ranks of dropped records paired with the current rank
	keptPairs    []uint64                 // candidate pairs of kept records, sorted
	most         int                      // maximum length of keptPairs
	closer       map[uint32][]leaderScore // by dropped record with equal ones: worse-ranked leaders that are more similar than its own, in ascending order
}

// A leaderScore is a leader and its score with a dropped record.
type leaderScore struct {
	leader uint32
	score  uint16
}

// joinEquals merges the classes of two records if the records are equal. A class is a set of
// equal records.
func (d *election) joinEquals(pair uint64) error {
	a, b := d.kept.Root(uint32(pair)), d.kept.Root(uint32(pair>>32))
	if a == b {
		return nil
	}
	equal, err := d.scorer.Equal(a, b)
	if equal && err == nil {
		d.compared++
		root := d.kept.Join(a, b)
		d.equals = append(d.equals, uint64(max(a, b)))
		d.score[root] = favoured
	}
	return err
}

// endJoining must be called after the last call of joinEquals. It makes every record refer
// directly to the best record of its class.
func (d *election) endJoining() {
	for i, rank := range d.equals {
		root := d.kept.Root(uint32(rank))
		d.kept[rank], d.equals[i] = root, uint64(root)<<32|rank
	}
	slices.Sort(d.equals)
}

// contractPair replaces the two records of a pair with the best records of their classes; ok is
// false if both are in the same class.
func (d *election) contractPair(pair uint64) (_ uint64, ok bool) {
	a, b := d.kept.Root(uint32(pair)), d.kept.Root(uint32(pair>>32))
	return pairOf(a, b), a != b
}

func pairOf(a, b uint32) uint64 { return uint64(max(a, b))<<32 | uint64(min(a, b)) }

// readPairs reads the next sorted pairs of classes, and decides in rank order whether to keep the
// best record of each class. The pairs of one class may be split among several calls.
func (d *election) readPairs(pairs []uint64) error {
	for _, p := range pairs {
		if p == d.last {
			continue
		}
		d.last = p
		if worse := uint32(p >> 32); worse != d.worse {
			if err := d.chooseLeader(); err != nil {
				return err
			}
			d.worse = worse
		}
		if better := uint32(p); d.kept[better] == better {
			d.leaders = append(d.leaders, uint64(better))
		} else {
			d.dropped = append(d.dropped, better)
		}
	}
	return nil
}

// chooseLeader decides whether to keep the record whose pairs were just read. If leaders are
// similar to the record, it is dropped in favour of the leader with the highest score or, among
// equal scores, the best rank.
func (d *election) chooseLeader() (err error) {
	if len(d.leaders)+len(d.dropped) == 0 {
		return nil // no pair has been read yet: d.worse is not set, and rank 0 may belong to another goroutine
	}
	before := len(d.keptPairs)
	d.sortLeaders()
	best, score := d.worse, -1
	for _, c := range d.leaders {
		rank, most := uint32(c), Scale-int(c>>32)
		least := max(d.rule.Least, score)
		if rank > best || score < 0 {
			least = max(d.rule.Least, score+1)
		}
		if most < least {
			continue
		}
		if score >= 0 && d.cannotReach(rank, leaderScore{best, uint16(score)}, least) {
			continue
		}
		d.compared++
		got, err := d.scorer.Score(d.worse, rank, least)
		if err != nil {
			return err
		}
		if got >= least {
			best, score = rank, got
		}
	}
	if score >= 0 {
		d.kept[d.worse], d.score[d.worse] = best, uint16(score)
		d.score[best] = favoured
		d.keptPairs = d.keptPairs[:before]
	} else {
		err = d.offerLeader()
	}
	d.leaders, d.dropped = d.leaders[:0], d.dropped[:0]
	return err
}

// offerLeader compares the current record, which is kept, with dropped records of a better rank that
// have equal records of a worse rank. For those, the current record may be the most similar leader.
func (d *election) offerLeader() error {
	if len(d.equals) == 0 {
		return nil
	}
	for _, better := range d.dropped {
		// The last record that equals better is before the first entry of a higher record.
		at, _ := slices.BinarySearch(d.equals, (uint64(better)+1)<<32)
		if at == 0 || d.equals[at-1] < uint64(better)<<32|uint64(d.worse) {
			continue
		}
		best := leaderScore{d.kept[better], d.score[better]}
		if all := d.closer[better]; len(all) > 0 {
			best = all[len(all)-1]
		}
		least := max(d.rule.Least, int(best.score)+1)
		if d.cannotReach(d.worse, best, least) {
			continue
		}
		d.compared++
		got, err := d.scorer.Score(d.worse, better, least)
		if err != nil {
			return err
		}
		if got < least {
			continue
		}
		if d.closer == nil {
			d.closer = map[uint32][]leaderScore{}
		}
		d.closer[better] = append(d.closer[better], leaderScore{d.worse, uint16(got)})
	}
	return nil
}

// cannotReach reports whether a leader's score with a record must be below least, because of the
// score of another leader, since these two are not a pair.
func (d *election) cannotReach(leader uint32, best leaderScore, least int) bool {
	if !d.rule.Metric || Scale+d.rule.Unlike-int(best.score)-1 >= least {
		return false
	}
	_, unlike := slices.BinarySearch(d.keptPairs, pairOf(leader, best.leader))
	return unlike
}

// sortLeaders sorts the leaders with which a record may be paired, in descending order of an upper
// bound on their score. It also adds the pairs of the record with these leaders to keptPairs, if
// there is room; chooseLeader removes them if the record is dropped.
func (d *election) sortLeaders() {
	if room := d.most - len(d.keptPairs); len(d.leaders) <= room {
		for _, c := range d.leaders {
			d.keptPairs = append(d.keptPairs, uint64(d.worse)<<32|c)
		}
	}
	for i, c := range d.leaders {
		d.leaders[i] = uint64(Scale-d.scorer.Most(d.worse, uint32(c)))<<32 | c
	}
	if len(d.leaders) < 64 {
		slices.Sort(d.leaders)
		return
	}
	d.tmp = slices.Grow(d.tmp[:0], len(d.leaders))[:len(d.leaders)]
	// The sort is stable, so leaders with equal bounds stay in rank order.
	sorted := radix.Sort(d.leaders, d.tmp, radix.Bits{Low: 32, N: 14})
	if &sorted[0] != &d.leaders[0] {
		d.leaders, d.tmp = d.tmp, d.leaders
	}
}

// decideRest decides whether to keep the last record, and decides on the other records of each class.
func (d *election) decideRest() error {
	if err := d.chooseLeader(); err != nil {
		return err
	}
	for _, e := range d.equals {
		root, rank := uint32(e>>32), uint32(e)
		d.score[rank] = Scale
		if d.kept[root] == root {
			continue
		}
		d.kept[rank], d.score[rank] = d.kept[root], d.score[root]
		for _, better := range d.closer[root] {
			if better.leader < rank {
				d.kept[rank], d.score[rank] = better.leader, better.score
			}
		}
		d.score[d.kept[rank]] = favoured
	}
	return nil
}
