package dupreport

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"

	"doppel/pkg/best"
	"doppel/pkg/group"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/report"
	"doppel/pkg/spill"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/lines"
)

// scoreTally is what the scored pairs say.
type scoreTally struct {
	cut    float64
	seed   uint64
	pairs  int64
	least  float64                // of all scores
	counts [perOne + 1]int64      // by score, in hundredths
	near   best.List[pair]        // the nearest to the cut
	ids    ids.Table              // of the pairs
	sizes  []int64                // by number of the id, up to the last one that the pairs have a size of
	spool  spill.Spool[[2]uint64] // all pairs, by the numbers of their ids
}

// perOne is how many ranges of scores are counted.
const perOne = 100

// A pair is one that is shown.
type pair struct {
	far   float64 // from the cut
	draw  uint64  // decides between equally far ones
	a, b  []byte
	score float64
}

// readScores reads the scored pairs, if there are any.
func (r *session) readScores() error {
	r.scoring.init(r.fates.threshold, r.opt.Seed)
	if len(r.opt.Scores) == 0 {
		return nil
	}
	return lines.Each(r.e, r.opt.Scores, r.scoring.parse)
}

func (s *scoreTally) init(cut float64, seed uint64) {
	s.cut, s.seed, s.least = cut, seed, 1
	s.near = best.List[pair]{Size: mostNear, Compare: func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.draw, b.draw))
	}}
}

// parse takes the line of a pair with its score.
func (s *scoreTally) parse(text []byte) error {
	var l line.Score
	if err := l.Parse(text); err != nil {
		return err
	}
	if !(0 <= l.Score && l.Score <= 1) {
		return fmt.Errorf("score %v: want 0 to 1", l.Score)
	}
	if bytes.Equal(l.A, l.B) {
		return fmt.Errorf("%q is paired with itself", l.A)
	}
	s.pairs++
	s.least = min(s.least, l.Score)
	s.counts[int(l.Score*perOne+1e-9)]++
	s.consider(&l)
	both := s.intern(l.A, l.Sized, l.SizeA)<<32 | s.intern(l.B, l.Sized, l.SizeB)
	return errors.Join(s.spool.Add([2]uint64{both, math.Float64bits(l.Score)}), s.ids.Full())
}

// consider adds a pair to those near the cut if it is one of them. Where there is no
// cut none is near it.
func (s *scoreTally) consider(l *line.Score) {
	one := pair{far: math.Abs(math.Round(1e4*(l.Score-s.cut))) / 1e4, draw: best.Draw(s.seed, s.pairs), score: l.Score}
	if s.cut > 0 && s.near.Takes(one) {
		one.a, one.b = bytes.Clone(l.A), bytes.Clone(l.B)
		s.near.Add(one)
	}
}

// intern returns the number of an id, and notes the size of its record.
func (s *scoreTally) intern(id []byte, sized bool, size int64) uint64 {
	n := s.ids.Intern(id)
	if !sized {
		return uint64(n)
	}
	for int(n) >= len(s.sizes) {
		s.sizes = append(s.sizes, dupgroup.NoSize)
	}
	s.sizes[n] = size
	return uint64(n)
}

// size returns the size of the record of an id.
func (s *scoreTally) size(n uint32) int64 {
	if int(n) >= len(s.sizes) {
		return dupgroup.NoSize
	}
	return s.sizes[n]
}

// ladder returns the thresholds that are tried: that of the run, and steps above the
// lowest score.
func (s *scoreTally) ladder() (all []float64) {
	step := 1
	if s.least < .75 {
		step = 5
	}
	for i := step; i <= perOne; i += step {
		t := float64(i) / perOne
		if t >= s.least-1e-9 || t == s.cut {
			all = append(all, t)
		}
		if next := float64(i+step) / perOne; t < s.cut && s.cut < next && s.cut >= s.least {
			all = append(all, s.cut)
		}
	}
	return all
}

// thresholds returns what each would drop.
func (r *session) thresholds() ([]report.Threshold, error) {
	s := &r.scoring
	if s.pairs == 0 || s.cut == 0 {
		return nil, nil
	}
	order, err := r.order()
	if err != nil {
		return nil, err
	}
	tried := s.ladder()
	drops, err := s.sweep(tried, ids.Ranks(order), int64(r.e.Mem))
	all := make([]report.Threshold, len(drops))
	for i := range drops {
		all[i] = report.Threshold{Value: tried[i], Drops: drops[i], Here: tried[i] == s.cut}
	}
	return all, err
}

// sweep returns how many records each threshold drops.
func (s *scoreTally) sweep(tried []float64, ranks []uint32, mem int64) ([]int64, error) {
	sweep := group.NewSweep(s.ids.Len(), mem, tried)
	for _, take := range []func(group.Edge) error{sweep.Join, sweep.Add} {
		if err := s.each(ranks, take); err != nil {
			return nil, err
		}
	}
	return sweep.Drops()
}

// order returns the records of the pairs, the best first, as dupgroup ranks them.
func (r *session) order() ([]uint32, error) {
	s, decide := &r.scoring, r.opt.Decide
	if decide.NeedsRecords() {
		decide.Data = r.opt.Data
	}
	if had := r.e.Records; r.opt.Ordinals {
		r.e.Records.ID, r.e.Records.WithFilename = "", false
		defer func() { r.e.Records = had }()
	}
	return decide.Order(r.e, dupgroup.Records{IDs: &s.ids, Size: s.size})
}

// each calls fn with every pair as an edge between ranks.
func (s *scoreTally) each(ranks []uint32, fn func(group.Edge) error) error {
	return s.spool.Each(func(p [2]uint64) error {
		a, b := uint32(p[0]>>32), uint32(p[0])
		if ranks != nil {
			a, b = ranks[a], ranks[b]
		}
		return fn(group.Edge{Better: min(a, b), Worse: max(a, b), Score: math.Float64frombits(p[1])})
	})
}

// histogram returns the counts of the scores that there are, in at most 50 columns.
func (s *scoreTally) histogram() *report.Scores {
	if s.pairs == 0 {
		return nil
	}
	first := int(s.least*perOne + 1e-9)
	if s.cut > 0 {
		first = min(first, int(s.cut*perOne+1e-9))
	}
	wide := 1 + (perOne-first)/50
	first -= first % wide
	h := &report.Scores{Low: float64(first) / perOne, Width: float64(wide) / perOne}
	for at := first; at <= perOne; at += wide {
		n := int64(0)
		for i := at; i < min(at+wide, perOne+1); i++ {
			n += s.counts[i]
		}
		h.Counts = append(h.Counts, n)
	}
	return h
}
