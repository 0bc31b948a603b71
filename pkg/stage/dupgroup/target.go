package dupgroup

import (
	"fmt"
	"math"

	"doppel/pkg/group"
	"doppel/pkg/msg"
	"doppel/pkg/tool"
)

// decide emits a decision on each record, in rank order. It ignores pairs with a score below the
// cut.
func (s *scores) decide(mem int64, cut float64, ranks []uint32, emit func(group.Decision) error) error {
	above := func(fn func(group.Edge) error) func(group.Edge) error {
		return func(e group.Edge) error {
			if e.Score < cut {
				return nil
			}
			return fn(e)
		}
	}
	n, olds, apart := s.IDs.Len(), s.olds, s.o.Apart || s.apart
	if s.o.Policy == Components {
		c := group.NewComponents(n, olds, apart)
		if err := s.Each(ranks, above(c.Join), above(c.Score)); err != nil {
			return err
		}
		return c.Decide(s.o.Keep == None, emit)
	}
	var d interface {
		Join(group.Edge) error
		Add(group.Edge) error
		Decide(func(group.Decision) error) error
	} = group.NewGreedy(n, olds, mem)
	if s.o.Keep == None {
		d = group.NewNone(n, olds, mem)
	}
	passes := []func(group.Edge) error{above(d.Join), above(d.Add)}
	if apart { // without Join, no records are equal
		passes = passes[1:]
	}
	if err := s.Each(ranks, passes...); err != nil {
		return err
	}
	return d.Decide(emit)
}

// countDropped returns the number of new records that would be dropped with the given cut.
func (s *scores) countDropped(mem int64, cut float64, ranks []uint32) (n int64, err error) {
	err = s.decide(mem, cut, ranks, func(d group.Decision) error {
		if d.Drop {
			n++
		}
		return nil
	})
	return n, err
}

// findCut returns a score that, used as the cut, leaves at most the target number of records, while
// the next higher score leaves more. It searches the scores by bisection and makes all decisions
// again at each step, so that it takes no more memory than one round of decisions. It needs about
// 14 steps if scores have 4 digits, and never more than 62.
//
// With the policy components, a lower cut never leaves more records, so only one score has this
// property. With the policy greedy, an additional pair can drop a record and thereby keep others,
// so several scores may have it.
func (s *scores) findCut(e *tool.Env, ranks []uint32, records int64) (cut float64, err error) {
	target, least, most := s.o.Target, math.Inf(1), 0.0
	if err := s.Each(nil, func(p group.Edge) error {
		least, most = min(least, p.Score), max(most, p.Score)
		return nil
	}); err != nil {
		return 0, err
	}
	if records <= target {
		e.Note("--target %d: nothing is dropped, because the input has only %s", target, msg.Number(records, "record"))
		return math.Inf(1), nil
	}
	cut = max(least, 0) // replaces -0 by 0, because the bits of -0 are out of order
	n, err := s.countDropped(int64(e.Mem), cut, ranks)
	if err == nil && records-n > target {
		err = msg.WithHint(fmt.Errorf("--target %d: even if all pairs are used, the run keeps %s", target, msg.Number(records-n, "record")), "give pairs with lower scores too")
	}
	// The scores s with low ≤ s < high have not been ruled out. Scores are compared by their bits,
	// because the bits of non-negative float64 values have the same order as the values.
	for low, high := math.Float64bits(cut)+1, math.Float64bits(most)+1; err == nil && low < high; {
		middle, next := low+(high-low)/2, math.Inf(1)
		err = s.Each(nil, func(p group.Edge) error {
			if math.Float64frombits(middle) <= p.Score && p.Score < math.Float64frombits(high) {
				next = min(next, p.Score)
			}
			return nil
		})
		k := int64(0)
		if err == nil && !math.IsInf(next, 1) {
			k, err = s.countDropped(int64(e.Mem), next, ranks)
		}
		if records-k > target {
			high = middle
		} else {
			cut, n, low = next, k, math.Float64bits(next)+1
		}
	}
	if err == nil {
		e.Note("--target %d: cut at %v, which leaves %d of %s", target, cut, records-n, msg.Number(records, "record"))
	}
	return cut, err
}
