package jaccgroup

import (
	"io"

	"doppel/pkg/group"
	"doppel/pkg/jaccard"
	"doppel/pkg/line/ids"
	"doppel/pkg/par"
	"doppel/pkg/spill"
	"doppel/pkg/stage/pairsets"
	"doppel/pkg/tool"
)

// A run holds the pairs and the sets after all input has been read, and makes the decisions.
type run struct {
	pairs    *pairsets.Pairs
	sets     *sets
	order    []uint32 // by rank: id number; nil if ranks are id numbers
	leaders  *group.Leaders
	verified int64 // number of pairs compared
}

// byPartition replaces the id numbers in the pairs by ranks and distributes the pairs to the
// partitions of their records. Because the input is sorted, many consecutive pairs share a record
// and thus a partition; such pairs are added to the sorter together.
func (r *run) byPartition(mem int64) (*spill.Sorter[uint64], error) {
	s := spill.NewSorter[uint64](partitions, mem)
	ranks := ids.Ranks(r.order)
	last, alike := 0, make([]uint64, 0, 1<<10)
	err := r.pairs.Each(func(a, b uint32) (err error) {
		part := int(r.sets.part[a])
		if part != last || len(alike) == cap(alike) {
			err = s.AddAll(last, alike)
			last, alike = part, alike[:0]
		}
		if ranks != nil {
			a, b = ranks[a], ranks[b]
		}
		alike = append(alike, uint64(max(a, b))<<32|uint64(min(a, b)))
		return err
	})
	if err == nil {
		err = s.AddAll(last, alike)
	}
	return s, err
}

// minPairBytes is the minimum memory for distributing pairs. With less memory, the pairs of a
// partition would be written in very small blocks.
const minPairBytes = 4 << 20

// minWorkBytes is the least memory that the workers together get for sorted pairs and codes, even
// if --mem is smaller. It is a variable so that tests can make it smaller.
var minWorkBytes int64 = 16 << 20

// decide makes the decisions on the records of all partitions. Workers process different partitions
// in parallel.
func (r *run) decide(e *tool.Env, o *Options, sorter *spill.Sorter[uint64]) error {
	// A score is rounded down, so the lowest score of a pair may be below the threshold.
	least := int(o.Score.Threshold * jaccard.One)
	unlike := least
	for float64(unlike)/jaccard.One < o.Score.Threshold {
		unlike++
	}
	number := 0
	next := func() (int, error) {
		if number == partitions {
			return 0, io.EOF
		}
		number++
		return number - 1, nil
	}
	newWorker := func() func(int) outcome {
		s := &scorer{
			sets: r.sets, order: r.order, measure: o.Score.Measure(), threshold: o.Score.Threshold, least: least,
			mem: max(int64(e.Mem)/8, minWorkBytes) / int64(e.Jobs),
		}
		w := &worker{run: r, sorter: sorter, mem: int64(e.Mem) / 4 / int64(e.Jobs), scorer: s}
		w.rule = group.Rule{Least: least, Unlike: unlike, Metric: !o.Score.Containment}
		return w.decide
	}
	return par.Ordered(e.Jobs, next, newWorker, func(d outcome) error {
		r.verified += d.verified
		return d.err
	})
}

// A worker makes the decisions on the records of partitions, one partition at a time.
type worker struct {
	*run
	sorter *spill.Sorter[uint64]
	mem    int64 // memory for spilled sets, in bytes
	scorer *scorer
	rule   group.Rule
	buf    []uint64
	edges  []uint64 // pairs of the current partition
}

// An outcome is the result of making the decisions on one partition.
type outcome struct {
	verified int64 // number of pairs compared
	err      error
}

func (w *worker) decide(partition int) (d outcome) {
	if w.sorter.PartLen(partition) == 0 {
		return d
	}
	in, err := w.sets.parts.Open(partition, w.mem, w.buf)
	if err != nil {
		return outcome{err: err}
	}
	if in.Buffer() != nil {
		w.buf = in.Buffer()
	}
	w.scorer.in, w.scorer.a, w.scorer.codes, w.scorer.repeated = in, nil, nil, false
	if 16*int64(w.sorter.PartLen(partition)) > w.scorer.mem {
		each := func(fn func(uint64) error) error { return w.sorter.Each(partition, fn) }
		d.verified, d.err = w.leaders.DecideSpilled(each, w.scorer.mem, w.scorer, w.rule)
		return d
	}
	if w.edges, err = w.sorter.Take(w.edges[:0], partition); err != nil {
		return outcome{err: err}
	}
	d.verified, d.err = w.leaders.Decide(w.edges, w.scorer, w.rule)
	return d
}
