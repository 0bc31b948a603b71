package dupgroup

import (
	"fmt"
	"runtime/debug"

	"doppel/pkg/group"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/record/ordinals"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// scores are the scored pairs, and which of their records are old.
type scores struct {
	Edges
	cut   float64
	least float64      // of all scores, also those below the cut
	equal bool         // a pair without a score is one of equal records
	old   ordinals.Set // by number
	fresh ordinals.Set // by number
}

// readScores reads the pairs whose score is not below the cut, those with old
// records first.
func readScores(e *tool.Env, o *Options, names []string) (*scores, error) {
	s := &scores{cut: o.Cut, least: 1, equal: o.Equal, Edges: Edges{Sized: o.Rank == "longest"}}
	if len(o.Old) > 0 {
		if err := lines.Each(e, o.Old, s.parseOld); err != nil {
			return nil, err
		}
	}
	err := lines.Each(e, names, s.parse)
	if err == nil && o.Later {
		s.tell(e)
	}
	return s, err
}

// near is how far above the cut the least score of a run with that threshold is, unless
// it found few pairs.
const near = 0.05

// tell notes that the scores may be of a run with a higher threshold.
func (s *scores) tell(e *tool.Env) {
	if s.least > s.cut+near {
		e.Note("no score is below %.4g: if they were kept at a threshold above %g, pairs may be missing, which doppel fuzzy -t %[2]g --scores finds", s.least, s.cut)
	}
}

// parse takes the line of a pair.
func (s *scores) parse(text []byte) error {
	l, passes, err := s.score(text)
	if err != nil || !passes {
		return err
	}
	a, err := s.number(l.A, &s.fresh, &s.old)
	if err != nil {
		return err
	}
	return s.pair(a, l)
}

// parseOld takes the line of a pair of an old record and a new one.
func (s *scores) parseOld(text []byte) error {
	l, passes, err := s.score(text)
	if err != nil || !passes {
		return err
	}
	if _, bare := ids.Ordinal(l.A); bare {
		return wording.WithHint(fmt.Errorf("%q, the id of an old record, may be that of a new one", l.A), "sign the old ones with -H")
	}
	a, err := s.number(l.A, &s.old, &s.fresh)
	if err != nil {
		return err
	}
	return s.pair(a, l)
}

// score reads a line, and tells whether the score passes the cut.
func (s *scores) score(text []byte) (l line.Score, passes bool, err error) {
	if err := s.read(&l, text); err != nil {
		return l, false, err
	}
	if !(0 <= l.Score && l.Score <= 1) {
		return l, false, fmt.Errorf("score %v: want 0 to 1", l.Score)
	}
	s.least = min(s.least, l.Score)
	return l, l.Score >= s.cut, nil
}

// read reads a line, which may be of a pair without a score.
func (s *scores) read(l *line.Score, text []byte) error {
	err := l.Parse(text)
	if err == nil {
		return nil
	}
	if l.Score = group.Equal; l.Pair.Parse(text) != nil {
		return err
	}
	if !s.equal {
		return wording.WithHint(err, "jaccard scores pairs, as in: recsign FILE | lshpairs | jaccard --records FILE; --equal takes them for pairs of equal records")
	}
	return nil
}

// number returns the number of an id of one kind, which must be none of the other.
func (s *scores) number(id []byte, kind, other *ordinals.Set) (uint32, error) {
	n := s.IDs.Intern(id)
	if other.Has(int64(n)) {
		return 0, fmt.Errorf("%q is the id of an old record and of a new one", id)
	}
	kind.Add(int64(n))
	return n, nil
}

// pair adds a pair whose first record has a number.
func (s *scores) pair(a uint32, l line.Score) error {
	b, err := s.number(l.B, &s.fresh, &s.old)
	if err != nil {
		return err
	}
	return s.add(a, b, &l)
}

// arrange gives each id its rank for a number, and returns the ranks of the numbers that
// the pairs have. What is only needed until then is given up.
func (s *scores) arrange(order []uint32) (ranks []uint32) {
	ranks = ids.Ranks(order)
	s.IDs.Forget()
	s.IDs.Arrange(order)
	s.old, s.fresh, s.sizes = nil, nil, nil
	if s.IDs.Len() > worthFreeing {
		debug.FreeOSMemory() // a third of all, before as much is needed again
	}
	return ranks
}

// worthFreeing is how many ids hold more memory than a collection costs time.
const worthFreeing = 1 << 20
