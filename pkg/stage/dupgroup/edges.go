package dupgroup

import (
	"errors"
	"fmt"
	"math"

	"doppel/pkg/group"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/spill"
)

// Edges stores scored pairs in a scratch file. A pair is stored as its score and the numbers of its
// two ids. Pairs are stored because records cannot be ranked before all ids are known. The zero
// value is empty.
type Edges struct {
	Sized bool // store the sizes of the records
	IDs   ids.Table

	spool spill.Spool[[2]uint64]
	sizes []int64 // sizes of records, by id number; sizes beyond its end are unknown
}

// add adds a pair with its score, given the numbers of its ids. It returns an error if a record is
// paired with itself.
func (s *Edges) add(a, b uint32, l *line.Score) error {
	if a == b {
		return fmt.Errorf("%q is paired with itself", l.A)
	}
	if s.Sized && l.Sized {
		for len(s.sizes) < s.IDs.Len() {
			s.sizes = append(s.sizes, NoSize)
		}
		s.sizes[a], s.sizes[b] = l.SizeA, l.SizeB
	}
	return errors.Join(s.spool.Add([2]uint64{uint64(a)<<32 | uint64(b), math.Float64bits(l.Score)}), s.IDs.Full())
}

// Size returns the size of a record in shingles, or NoSize.
func (s *Edges) Size(number uint32) int64 {
	if int(number) >= len(s.sizes) {
		return NoSize
	}
	return s.sizes[number]
}

// Each calls the first function in fns with every pair, then the second function with every pair,
// and so on. Pairs are passed as edges between ranks. The slice ranks is indexed by id number; if
// it is nil, the id numbers are the ranks.
func (s *Edges) Each(ranks []uint32, fns ...func(group.Edge) error) error {
	for _, fn := range fns {
		err := s.spool.Each(func(p [2]uint64) error {
			a, b := uint32(p[0]>>32), uint32(p[0])
			if ranks != nil {
				a, b = ranks[a], ranks[b]
			}
			return fn(group.Edge{Better: min(a, b), Worse: max(a, b), Score: math.Float64frombits(p[1])})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
