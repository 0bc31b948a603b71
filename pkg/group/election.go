package group

import (
	"slices"

	"doppel/pkg/spill"
	"doppel/pkg/spill/radix"
)

// An election holds the state of one call of Decide.
type election struct {
	*Leaders
	scorer   Scorer
	rule     Rule
	equals   []uint32 // the ranks equal to a better one
	compared int64

	worse     uint32   // the record with the pairs now being read
	last      uint64   // the pair read last
	open, tmp []uint64 // its kept candidates: Scale minus the highest possible score, and the rank
	dropped   []uint32 // its dropped candidates
	near      []uint64 // the pairs between kept records, sorted
	most      int      // limit of len(near)
	deferred  spill.Spool[uint64]
}

// joinEquals puts two records into one class if they are equal.
func (d *election) joinEquals(pair uint64) error {
	a, b := d.kept.Root(uint32(pair)), d.kept.Root(uint32(pair>>32))
	if a == b {
		return nil
	}
	equal, err := d.scorer.Equal(a, b)
	if equal && err == nil {
		d.compared++
		root := d.kept.Join(a, b)
		d.equals = append(d.equals, max(a, b))
		d.score[root] = paired
	}
	return err
}

// endJoining ends the joining: every record now refers directly to the best of its class.
func (d *election) endJoining() {
	for _, rank := range d.equals {
		d.kept[rank] = d.kept.Root(rank)
	}
}

// contractPair returns the pair of the classes of two records; ok is false if they are in the same
// class.
func (d *election) contractPair(pair uint64) (_ uint64, ok bool) {
	a, b := d.kept.Root(uint32(pair)), d.kept.Root(uint32(pair>>32))
	return pairOf(a, b), a != b
}

func pairOf(a, b uint32) uint64 { return uint64(max(a, b))<<32 | uint64(min(a, b)) }

// readPairs reads the next sorted pairs of classes, and decides the classes in rank order. The
// pairs of a class may come in several calls.
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
			d.open = append(d.open, uint64(better))
		} else {
			d.dropped = append(d.dropped, better)
		}
	}
	return nil
}

// chooseLeader finds the leader with the highest score, or the best ranked of several, and
// decides the record of the pairs just read. For kept records that have no pair yet, it stores
// the candidate pairs to compare at the end.
func (d *election) chooseLeader() (err error) {
	if len(d.open)+len(d.dropped) == 0 {
		return nil // nothing read yet; rank 0 may belong to another goroutine
	}
	before := len(d.near)
	d.sortLeaders()
	best, score := d.worse, -1
	for _, c := range d.open {
		rank, most := uint32(c), Scale-int(c>>32)
		least := max(d.rule.Least, score)
		if rank > best || score < 0 {
			least = max(d.rule.Least, score+1)
		}
		if most < least {
			continue
		}
		if far := Scale + d.rule.Least - score - 1; score >= 0 && d.rule.Metric && far < least {
			if _, unlike := slices.BinarySearch(d.near, pairOf(rank, best)); unlike {
				continue // both are kept, so they were compared and are not a pair
			}
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
		d.score[best] = paired
		d.near = d.near[:before]
		for _, c := range d.open {
			if d.isAlone(uint32(c)) {
				err = d.deferred.Add(uint64(d.worse)<<32 | uint64(uint32(c)))
			}
		}
	} else if d.isAlone(d.worse) {
		for _, better := range d.dropped {
			err = d.deferred.Add(uint64(d.worse)<<32 | uint64(better))
		}
	}
	d.open, d.dropped = d.open[:0], d.dropped[:0]
	return err
}

// sortLeaders sorts the leaders of a record, the most promising first, and records in near that
// they and the record are kept together, which holds unless the record is dropped.
func (d *election) sortLeaders() {
	if room := d.most - len(d.near); len(d.open) <= room {
		for _, c := range d.open {
			d.near = append(d.near, uint64(d.worse)<<32|c)
		}
	}
	for i, c := range d.open {
		d.open[i] = uint64(Scale-d.scorer.Most(d.worse, uint32(c)))<<32 | c
	}
	if len(d.open) < 64 {
		slices.Sort(d.open)
		return
	}
	d.tmp = slices.Grow(d.tmp[:0], len(d.open))[:len(d.open)]
	sorted := radix.Sort(d.open, d.tmp, radix.Bits{Low: 32, N: 14}) // the ranks ascend
	if &sorted[0] != &d.open[0] {
		d.open, d.tmp = d.tmp, d.open
	}
}

// isAlone reports whether a record is kept and has no known pair.
func (d *election) isAlone(rank uint32) bool {
	return d.kept[rank] == rank && d.score[rank] == alone
}

// decideRest decides the last record, finds out which kept records have a pair with a dropped
// record, and gives equal records the decision of the best of them.
func (d *election) decideRest() error {
	if err := d.chooseLeader(); err != nil {
		return err
	}
	err := d.deferred.Each(func(p uint64) error {
		a, b := uint32(p), uint32(p>>32)
		if !d.isAlone(a) && !d.isAlone(b) {
			return nil
		}
		d.compared++
		score, err := d.scorer.Score(b, a, d.rule.Least)
		if err != nil || score < 0 {
			return err
		}
		for _, rank := range [...]uint32{a, b} {
			if d.isAlone(rank) {
				d.score[rank] = paired
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, rank := range d.equals {
		root := d.kept[rank]
		d.score[rank] = Scale
		if d.kept[root] != root {
			d.kept[rank], d.score[rank] = d.kept[root], d.score[root]
		}
	}
	return nil
}
