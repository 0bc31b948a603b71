package dupgroup

import (
	"fmt"
	"math"

	"doppel/pkg/group"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
)

// scores are the scored pairs, by the numbers of their ids: in a scratch file,
// since no edge can be ranked before all ids are known.
type scores struct {
	cut   float64
	ids   ids.Table
	spool spill.Spool[[2]uint64]
	sized bool    // sizes are wanted
	sizes []int64 // by number, where they are wanted and the pairs have them
}

// readScores reads the pairs whose score is not below the cut.
func readScores(e *tool.Env, o *Options, names []string) (*scores, error) {
	s := &scores{cut: o.Cut, sized: o.Rank == "longest"}
	return s, lines.Each(e, names, s.parse)
}

// parse takes the line of a pair with its score, and the sizes if it has them.
func (s *scores) parse(text []byte) error {
	var l line.Score
	if err := l.Parse(text); err != nil {
		return err
	}
	if !(0 <= l.Score && l.Score <= 1) {
		return fmt.Errorf("score %v: want 0 to 1", l.Score)
	}
	if l.Score < s.cut {
		return nil
	}
	a, b := s.ids.Intern(l.A), s.ids.Intern(l.B)
	if a == b {
		return fmt.Errorf("%q is paired with itself", l.A)
	}
	s.spool.Add([2]uint64{uint64(a)<<32 | uint64(b), math.Float64bits(l.Score)})
	if s.sized {
		s.grow()
	}
	if s.sized && l.Sized {
		s.sizes[a], s.sizes[b] = l.SizeA, l.SizeB
	}
	return nil
}

// grow makes room for the size of each id.
func (s *scores) grow() {
	for len(s.sizes) < s.ids.Len() {
		s.sizes = append(s.sizes, NoSize)
	}
}

// each calls fn with every pair as an edge between ranks.
func (s *scores) each(ranks []uint32, fn func(group.Edge) error) error {
	return s.spool.Each(func(p [2]uint64) error {
		a, b := uint32(p[0]>>32), uint32(p[0])
		if ranks != nil {
			a, b = ranks[a], ranks[b]
		}
		return fn(group.Edge{Better: min(a, b), Worse: max(a, b), Score: math.Float64frombits(p[1])})
	})
}

// twice hands all pairs as edges to one function and then to the other.
func (s *scores) twice(order []uint32, first, second func(group.Edge) error) error {
	ranks := ids.Ranks(order)
	if err := s.each(ranks, first); err != nil {
		return err
	}
	return s.each(ranks, second)
}

// records are what the scores are of.
func (s *scores) records() Records {
	return Records{&s.ids, func(number uint32) int64 { return s.sizes[number] }}
}
