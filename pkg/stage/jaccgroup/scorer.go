package jaccgroup

import (
	"slices"

	"doppel/pkg/jaccard"
	"doppel/pkg/spill"
)

// A scorer compares the records of one partition, given by their ranks. A record that is
// compared with many others is compared by codes.
type scorer struct {
	*sets
	in        *spill.Partition
	order     []uint32 // the number of each rank; nil: the ranks are the numbers
	of        jaccard.Measure
	threshold float64
	least     int // the lowest score that reaches the threshold

	last       uint32   // the rank of a
	a          []uint64 // the set that is compared with others; nil: none
	bufA, bufB []uint64
	compared   int // sets compared with a so far
	needs      needCache

	mem      int64          // for codes
	codes    *jaccard.Codes // nil: this partition has none yet
	repeated bool           // the codes know which elements are repeated
}

// fewCompared is the number of sets compared with a record by merging before codes are
// made.
const fewCompared = 4

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
	if err := s.loadSet(a); err != nil {
		return false, err
	}
	setB, err := s.otherSet(b)
	return err == nil && slices.Equal(s.a, setB), err
}

// Most returns the highest score that the sizes of two sets allow.
func (s *scorer) Most(a, b uint32) int {
	return s.needs.of(s, int(s.size[s.number(a)]), int(s.size[s.number(b)])).most
}

// Score returns the score of a pair if it is at least least, or -1.
func (s *scorer) Score(a, b uint32, least int) (int, error) {
	na, nb := int(s.size[s.number(a)]), int(s.size[s.number(b)])
	need := s.needs.of(s, na, nb).need
	if least > s.least {
		need = s.of.Need(na, nb, s.threshold, least)
	}
	if need > min(na, nb) {
		return -1, nil
	}
	if err := s.loadSet(a); err != nil {
		return -1, err
	}
	shared, err := s.countShared(b, need)
	if err != nil || shared < 0 {
		return -1, err
	}
	return s.of.Score(na, nb, shared), nil
}

// countShared returns how many elements the loaded set shares with another one, or -1 if
// fewer than need.
func (s *scorer) countShared(b uint32, need int) (int, error) {
	if s.compared++; s.compared > fewCompared {
		if code, err := s.codeOf(b); err != nil || code >= 0 {
			return s.codes.Shared(s.a, code, need), err
		}
	}
	setB, err := s.otherSet(b)
	if err != nil {
		return -1, err
	}
	return jaccard.Shared(s.a, setB, need), nil
}

// The values of sets.code: 0 if not yet made, the number of the code plus firstCode, or noCode
// if none can be made.
const (
	noCode    = -1
	firstCode = 1
)

// codeOf returns the number of the code of a record, or -1 if it has none.
func (s *scorer) codeOf(rank uint32) (int, error) {
	if s.codes == nil {
		s.codes = jaccard.NewCodes(s.mem)
		s.codesOnce.Do(func() { s.code = make([]int32, len(s.size)) })
	}
	if !s.repeated && s.codes.Listed() > s.in.Len() {
		again := jaccard.NewRepeated(s.in.Len(), s.mem/4)
		if err := s.in.Each(again.Add); err != nil {
			return noCode, err
		}
		s.codes.Shorten(again)
		s.repeated = true
	}
	code := &s.code[s.number(rank)]
	if *code == 0 {
		set, err := s.otherSet(rank)
		if err != nil {
			return noCode, err
		}
		if *code = noCode; set != nil {
			if number, ok := s.codes.Encode(set); ok {
				*code = int32(number + firstCode)
			}
		}
	}
	return int(max(noCode, *code-firstCode)), nil
}

// loadSet loads the set of a, for comparisons with others.
func (s *scorer) loadSet(a uint32) (err error) {
	if s.a != nil && s.last == a {
		return nil
	}
	s.a, s.bufA, err = s.set(a, s.bufA)
	s.last, s.compared = a, 0
	if s.codes != nil {
		s.codes.Begin()
	}
	return err
}

// otherSet returns the set of a record to compare with the loaded one.
func (s *scorer) otherSet(rank uint32) (set []uint64, err error) {
	set, s.bufB, err = s.set(rank, s.bufB)
	return set, err
}

func (s *scorer) set(rank uint32, buf []uint64) (set, _ []uint64, err error) {
	n := s.number(rank)
	return s.in.Words(s.at[n], int(s.size[n]), buf)
}

// needCache caches the needs of pairs of set sizes: many of the sets compared with one set
// have the same size.
type needCache [1 << 10]sizeNeed

// A sizeNeed is the highest possible score of two sets, and how many elements they must
// share.
type sizeNeed struct {
	known      bool
	na, nb     int
	most, need int
}

// of returns the cached need for sets of the sizes na and nb.
func (n *needCache) of(s *scorer, na, nb int) *sizeNeed {
	k := &n[nb%len(n)]
	if !k.known || k.na != na || k.nb != nb {
		*k = sizeNeed{true, na, nb, s.of.Score(na, nb, min(na, nb)), s.of.Need(na, nb, s.threshold, s.least)}
	}
	return k
}
