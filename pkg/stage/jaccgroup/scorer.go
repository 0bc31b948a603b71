package jaccgroup

import (
	"slices"

	"doppel/pkg/jaccard"
	"doppel/pkg/spill"
)

// A scorer compares records of one partition. Its methods take the ranks of the records. If a
// record is compared with many others, the others are encoded to speed up the comparisons.
type scorer struct {
	*sets
	in        *spill.Partition
	order     []uint32 // by rank: id number; nil if ranks are id numbers
	measure   jaccard.Measure
	threshold float64
	least     int // lowest score of a pair that reaches the threshold

	last       uint32   // rank of the record whose set is loaded
	a          []uint64 // loaded set, which is compared with others; nil for none
	bufA, bufB []uint64
	compared   int // number of sets compared with the loaded set so far
	needs      needCache

	mem      int64          // memory for codes, in bytes
	codes    *jaccard.Codes // codes of the sets of this partition; nil if none were made
	repeated bool           // codes.Shorten has been called
}

// fewCompared is the number of sets that are compared with a record by merging. Any further sets
// are encoded before they are compared.
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
	return s.needs.lookUp(s, int(s.size[s.number(a)]), int(s.size[s.number(b)])).most
}

// Score returns the score of a pair, or -1 if the score is below the given minimum.
func (s *scorer) Score(a, b uint32, least int) (int, error) {
	na, nb := int(s.size[s.number(a)]), int(s.size[s.number(b)])
	need := s.needs.lookUp(s, na, nb).need
	if least > s.least {
		need = s.measure.Need(na, nb, s.threshold, least)
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
	return s.measure.Score(na, nb, shared), nil
}

// countShared returns the number of elements that the loaded set shares with the set of b, or -1 if
// there are fewer than need.
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

// An element of sets.code is 0 if the set has not been encoded, noCode if it cannot be encoded, and
// otherwise the number of its code plus firstCode.
const (
	noCode    = -1
	firstCode = 1
)

// codeOf returns the number of the code for a record's set, or noCode if the set cannot be encoded.
// It encodes the set if necessary.
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

// loadSet loads the set of a record, to compare it with other sets.
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

// A needCache is a cache of sizeNeeds. It is effective because a set is compared with many sets of
// the same size.
type needCache [1 << 10]sizeNeed

// A sizeNeed holds, for two set sizes, the highest possible score and the number of shared elements
// needed to reach the threshold.
type sizeNeed struct {
	known      bool
	na, nb     int // set sizes
	most, need int
}

// lookUp returns the sizeNeed for sets of sizes na and nb. The result is valid until the next call.
func (n *needCache) lookUp(s *scorer, na, nb int) *sizeNeed {
	k := &n[nb%len(n)]
	if !k.known || k.na != na || k.nb != nb {
		*k = sizeNeed{true, na, nb, s.measure.Score(na, nb, min(na, nb)), s.measure.Need(na, nb, s.threshold, s.least)}
	}
	return k
}
