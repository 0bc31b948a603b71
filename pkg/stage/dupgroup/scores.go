package dupgroup

import (
	"fmt"
	"math"

	"doppel/pkg/group"
	"doppel/pkg/jaccard"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/msg"
	"doppel/pkg/record/bitset"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
)

// scores holds the scored pairs, and says which of their records are old.
type scores struct {
	Edges
	o     *Options
	least float64    // lowest of all scores, including scores below the cut
	pairs int        // number of all pairs
	old   bitset.Set // numbers of old records
	fresh bitset.Set // numbers of new records
	olds  int        // number of old records; set when all pairs are read
	apart bool       // the pairs have different values of recsign --across
}

// readScores reads the pairs with a score of at least the cut. It reads the pairs in o.Old first.
func readScores(e *tool.Env, o *Options, names []string) (*scores, error) {
	s := &scores{o: o, least: 1, Edges: Edges{Sized: o.Needs() == Size}}
	if len(o.Old) > 0 {
		if err := lineio.Each(e, o.Old, func(text []byte) error { return s.addPair(text, true) }); err != nil {
			return nil, err
		}
	}
	err := lineio.Each(e, names, func(text []byte) error { return s.addPair(text, false) })
	s.olds = s.old.Len()
	changed := o.Cut != option.DefaultKeys().Threshold || s.pairs >= manyPairs
	if err == nil && o.Later && o.Target == 0 && changed && s.least > o.Cut+maxScoreGap {
		e.Note("no score is below %.4g: pairs may be missing if the scores were written with a threshold above %g; doppel fuzzy -t %[2]g --scores writes all", s.least, o.Cut)
	}
	return s, err
}

// reaches reports whether the score of a pair is at least the cut. A score is rounded down to four
// decimals, so if the cut has more, the sizes of the records decide.
func reaches(l *line.Score, cut float64) bool {
	switch {
	case l.Score >= cut:
		return true
	case !l.Sized || l.Score <= cut-1./jaccard.One:
		return false
	}
	na, nb, score := int(l.SizeA), int(l.SizeB), int(math.Round(l.Score*jaccard.One))
	for _, measure := range []jaccard.Measure{jaccard.Resemblance, jaccard.Containing} {
		shared := measure.Largest(na, nb, score)
		if share := jaccard.Containment(na, shared); measure.Score(na, nb, shared) == score && math.Abs(share-l.ContainmentA) < 2./jaccard.One {
			return measure.Similarity(na, nb, shared) >= cut
		}
	}
	return false
}

// maxScoreGap is the largest plausible difference between the lowest score of a run and its
// threshold. A larger difference is plausible only if the run found fewer than manyPairs. With the
// default threshold, the user probably did not choose another one for the run either.
const (
	maxScoreGap = 0.05
	manyPairs   = 100
)

// addPair adds the pair on a line. old says whether the first record of the pair is old. The score
// may be missing only with --equal.
func (s *scores) addPair(text []byte, old bool) error {
	var l line.Score
	if err := l.Parse(text); err != nil {
		if l.Score = group.Equal; l.Pair.Parse(text) != nil {
			return err
		}
		if !s.o.Equal {
			return msg.WithHint(err, "{jaccard} scores pairs, as in: {recsign} FILE | {lshpairs} | {jaccard} --records FILE; --equal reads the lines as pairs of equal records")
		}
	}
	if !(0 <= l.Score && l.Score <= 1) {
		return fmt.Errorf("score %v: want 0 to 1", l.Score)
	}
	s.least, s.pairs = min(s.least, l.Score), s.pairs+1
	if s.apart = s.apart || l.Apart; !reaches(&l, s.o.Cut) {
		return nil
	}
	kind, other := &s.fresh, &s.old
	if old {
		if _, bare := ids.Ordinal(l.A); bare {
			return msg.WithHint(fmt.Errorf("id %q of an old record may also be the id of a new one", l.A), "sign the old records with -H")
		}
		kind, other = other, kind
	}
	a, err := s.numberOf(l.A, kind, other)
	if err != nil {
		return err
	}
	b, err := s.numberOf(l.B, &s.fresh, &s.old)
	if err != nil {
		return err
	}
	return s.add(a, b, &l)
}

// numberOf returns the number of an id and adds it to the set kind, which is s.old or s.fresh. It
// returns an error if the other one of these sets has the number.
func (s *scores) numberOf(id []byte, kind, other *bitset.Set) (uint32, error) {
	n := s.IDs.Intern(id)
	if other.Has(int64(n)) {
		return 0, fmt.Errorf("id %q of an old record is also the id of a new one", id)
	}
	kind.Add(int64(n))
	return n, nil
}
