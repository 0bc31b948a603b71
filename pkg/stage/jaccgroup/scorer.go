package jaccgroup

import (
	"slices"

	"doppel/pkg/jaccard"
	"doppel/pkg/spill"
)

// A scorer compares the records of one partition, which it knows by their ranks.
type scorer struct {
	*sets
	in        *spill.Partition
	order     []uint32 // the number of each rank; nil: the ranks are the numbers
	of        jaccard.Measure
	threshold float64
	least     int // the lowest score that reaches the threshold

	last       uint32 // the rank of a
	a          []uint64
	bufA, bufB []uint64
}

// begin begins with another partition.
func (s *scorer) begin(in *spill.Partition) { s.in, s.a = in, nil }

func (s *scorer) number(rank uint32) uint32 {
	if s.order == nil {
		return rank
	}
	return s.order[rank]
}

// Equal reports whether the sets of two records are equal and not empty.
func (s *scorer) Equal(a, b uint32) (bool, error) {
	x, y := s.number(a), s.number(b)
	if s.sum[x] != s.sum[y] || s.size[x] != s.size[y] || s.size[x] == 0 {
		return false, nil
	}
	setA, setB, err := s.both(a, b)
	return err == nil && slices.Equal(setA, setB), err
}

// Most returns the score that the sizes of two sets allow.
func (s *scorer) Most(a, b uint32) int {
	na, nb := int(s.size[s.number(a)]), int(s.size[s.number(b)])
	return s.of.Score(na, nb, min(na, nb))
}

// Score returns the score of a pair if it is at least least, or -1.
func (s *scorer) Score(a, b uint32, least int) (int, error) {
	na, nb := int(s.size[s.number(a)]), int(s.size[s.number(b)])
	need := s.of.Need(na, nb, s.threshold, max(least, s.least))
	if need > min(na, nb) {
		return -1, nil
	}
	setA, setB, err := s.both(a, b)
	if err != nil {
		return -1, err
	}
	shared := jaccard.Shared(setA, setB, need)
	if shared < 0 {
		return -1, nil
	}
	return s.of.Score(na, nb, shared), nil
}

// both returns the sets of two records. That of a is kept, since many are compared
// with it one after the other.
func (s *scorer) both(a, b uint32) (setA, setB []uint64, err error) {
	if s.a == nil || s.last != a {
		if s.a, s.bufA, err = s.set(a, s.bufA); err != nil {
			return nil, nil, err
		}
		s.last = a
	}
	setB, s.bufB, err = s.set(b, s.bufB)
	return s.a, setB, err
}

func (s *scorer) set(rank uint32, buf []uint64) (set, _ []uint64, err error) {
	n := s.number(rank)
	return s.in.Words(s.at[n], int(s.size[n]), buf)
}

// leastOf returns the lowest score that is written as t or more.
func leastOf(t float64) int {
	least := int(t * jaccard.One)
	for float64(least)/jaccard.One < t {
		least++
	}
	return least
}
