package jaccgroup

import (
	"fmt"
	"io"

	"doppel/pkg/group"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/par"
	"doppel/pkg/spill"
	"doppel/pkg/stage/candidates"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
)

// A run is what is known when all has been read.
type run struct {
	pairs    *candidates.Pairs
	sets     *sets
	order    []uint32 // the number of each rank; nil: the ranks are the numbers
	leaders  *group.Leaders
	verified int64
}

// run decides and writes the decisions.
func (o *Options) run(e *tool.Env, r *run) error {
	sorter, err := r.byPartition(max(int64(e.Mem)/8, leastPairs))
	if err != nil {
		return err
	}
	r.leaders = group.NewLeaders(r.pairs.IDs.Len())
	if err := r.decide(e, o, sorter); err != nil {
		return err
	}
	if err := lines.Header(e, line.Decision{}); err != nil {
		return err
	}
	w := dupgroup.NewWriter(e, o.decide(), pairs.Ranks{IDs: &r.pairs.IDs.List, Order: r.order})
	c := counts{tool.Counts{Candidates: r.pairs.Len(), Verified: r.verified}}
	if err := r.leaders.Each(c.counting(w.Write)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if e.Watching() {
		e.Note("%d candidates, %d verified", c.Candidates, c.Verified)
	}
	return e.WriteStats(o.Stats, c)
}

// byPartition deals the pairs to the partitions of their records, as ranks. Pairs come
// sorted, so that many of one record, and of one partition, follow each other.
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

// leastPairs is the least memory for pairs: less would write few of a partition at a time.
const leastPairs = 4 << 20

// leastWork is the least memory for pairs that are sorted and for codes, of all threads
// together, however small --mem is; less in tests.
var leastWork int64 = 16 << 20

// decide decides the partitions, each in one thread.
func (r *run) decide(e *tool.Env, o *Options, sorter *spill.Sorter[uint64]) error {
	number := 0
	next := func() (int, error) {
		if number == partitions {
			return 0, io.EOF
		}
		number++
		return number - 1, nil
	}
	newWorker := func() func(int) outcome {
		w := &worker{run: r, sorter: sorter, mem: int64(e.Mem) / 4 / int64(e.Jobs), scorer: o.scorer(r)}
		w.scorer.mem = max(int64(e.Mem)/8, leastWork) / int64(e.Jobs)
		w.rule = group.Rule{Least: w.scorer.least, Metric: !o.Score.Containment}
		return w.decide
	}
	return par.Ordered(e.Jobs, next, newWorker, func(d outcome) error {
		r.verified += d.verified
		return d.err
	})
}

func (o *Options) scorer(r *run) *scorer {
	t := o.Score.Threshold
	return &scorer{sets: r.sets, order: r.order, of: o.Score.Measure(), threshold: t, least: leastOf(t)}
}

// A worker decides of partitions, one after the other.
type worker struct {
	*run
	sorter *spill.Sorter[uint64]
	mem    int64 // of sets that were spilled
	scorer *scorer
	rule   group.Rule
	buf    []uint64
	dealt  []uint64 // the pairs of a partition
}

// An outcome is what a partition cost.
type outcome struct {
	verified int64
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
	w.scorer.begin(in)
	if 16*int64(w.sorter.PartLen(partition)) > w.scorer.mem {
		each := func(fn func(uint64) error) error { return w.sorter.Each(partition, fn) }
		d.verified, d.err = w.leaders.DecideSpilled(each, w.scorer.mem, w.scorer, w.rule)
		return d
	}
	if w.dealt, err = w.sorter.Take(w.dealt[:0], partition); err != nil {
		return outcome{err: err}
	}
	d.verified, d.err = w.leaders.Decide(w.dealt, w.scorer, w.rule)
	return d
}

// counts are what a run counted.
type counts struct{ tool.Counts }

// counting returns emit, counting the decisions.
func (c *counts) counting(emit func(group.Decision) error) func(group.Decision) error {
	return func(d group.Decision) error {
		if d.Drop {
			c.Dropped++
		} else {
			c.Kept++
		}
		return emit(d)
	}
}

// AppendJSON appends the counts as an object.
func (c counts) AppendJSON(dst []byte) []byte {
	return fmt.Appendf(dst, `{"candidates":%d,"verified":%d,"records":%d,"kept":%d,"dropped":%d}`,
		c.Candidates, c.Verified, c.Kept+c.Dropped, c.Kept, c.Dropped)
}
