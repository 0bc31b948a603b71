package dupgroup

import (
	"fmt"
	"math"
	"runtime/debug"

	"doppel/pkg/group"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/ordinals"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// scores are the scored pairs, by the numbers of their ids: in a scratch file,
// since no edge can be ranked before all ids are known.
type scores struct {
	cut   float64
	least float64 // of all scores, also those below the cut
	equal bool    // a pair without a score is one of equal records
	ids   ids.Table
	old   ordinals.Set // by number
	fresh ordinals.Set // by number
	spool spill.Spool[[2]uint64]
	sized bool    // sizes are wanted
	sizes []int64 // by number, where they are wanted and the pairs have them
}

// readScores reads the pairs whose score is not below the cut, those with old
// records first.
func readScores(e *tool.Env, o *Options, names []string) (*scores, error) {
	s := &scores{cut: o.Cut, least: 1, equal: o.Equal, sized: o.Rank == "longest"}
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
	return s.add(a, l)
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
	return s.add(a, l)
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
	n := s.ids.Intern(id)
	if other.Has(int64(n)) {
		return 0, fmt.Errorf("%q is the id of an old record and of a new one", id)
	}
	kind.Add(int64(n))
	return n, s.ids.Full()
}

// add adds a pair with its score, and the sizes if it has them.
func (s *scores) add(a uint32, l line.Score) error {
	b, err := s.number(l.B, &s.fresh, &s.old)
	switch {
	case err != nil:
		return err
	case a == b:
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

// arrange gives each id its rank for a number, and returns the ranks of the numbers that
// the pairs have. What is only needed until then is given up.
func (s *scores) arrange(order []uint32) (ranks []uint32) {
	ranks = ids.Ranks(order)
	s.ids.Forget()
	s.ids.Arrange(order)
	s.old, s.fresh, s.sizes = nil, nil, nil
	if s.ids.Len() > worthFreeing {
		debug.FreeOSMemory() // a third of all, before as much is needed again
	}
	return ranks
}

// worthFreeing is how many ids hold more memory than a collection costs time.
const worthFreeing = 1 << 20

// twice hands all pairs as edges to one function and then to the other. Ranks are by
// number, nil if they are the numbers.
func (s *scores) twice(ranks []uint32, first, second func(group.Edge) error) error {
	if err := s.each(ranks, first); err != nil {
		return err
	}
	return s.each(ranks, second)
}

// records are what the scores are of.
func (s *scores) records() Records {
	return Records{&s.ids, func(number uint32) int64 { return s.sizes[number] }, s.isOld}
}

func (s *scores) isOld(number uint32) bool { return s.old.Has(int64(number)) }

// olds returns how many records are old.
func (s *scores) olds() int { return s.old.Len() }
