package front

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/measure"
	"doppel/pkg/stages"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

// measuring is a measurement: a chain, and how much of the data it is tried on.
type measuring struct {
	chain   fuzzyFlags
	sample  int
	floor   float64
	closest int
}

// measured measures what doppel fuzzy finds and misses in the user's own data.
func measured() *tool.Command {
	var m measuring
	return tool.Adapt(&tool.Old{
		Name:    "doppel measure",
		Summary: "measure recall and precision of doppel fuzzy on a sample",
		Usage:   "[FILE...]",
		Shared:  tool.Records | tool.Jobs | tool.KeepGoing | tool.Output | tool.Watch,
		Mem:     512 << 20,
		Flagger: func(fs *pflag.FlagSet) {
			m.chain.chain(fs)
			fs.IntVar(&m.sample, "sample", 5000, "take `N` records")
			fs.Float64Var(&m.floor, "floor", 0.3, "begin the curve at the similarity `J`")
			fs.IntVar(&m.closest, "closest", 10, "print the `N` pairs that are closest to the threshold")
		},
		Runner: m.run,
	})
}

func (m *measuring) run(e *tool.Env, args []string) error {
	t := m.chain.lsh.Threshold
	switch {
	case m.sample < 2:
		return tool.UsageError("--sample %d: want at least 2", m.sample)
	case !(0 < m.floor && m.floor < 1):
		return tool.UsageError("--floor %v: want more than 0 and less than 1", m.floor)
	case m.closest < 0:
		return tool.UsageError("--closest %d: want 0 or more", m.closest)
	}
	if err := stages.CheckBands(m.chain.lsh); err != nil {
		return err
	}
	bands, err := m.chain.lsh.Settle(m.chain.slots)
	if err != nil {
		return tool.UsageError("%v", err)
	}
	s, err := takeSample(e, args, m.sample)
	if err != nil {
		return err
	}
	got, err := m.try(e, s)
	if err != nil {
		return err
	}
	sets := s.sets(m.chain.text)
	pairs := measure.Pairs(sets, min(m.floor, t), e.Jobs)
	r := report{e.Out, s}
	r.shares(sets, pairs, got.fate, t)
	fmt.Fprintf(e.Out, "\npairs of a similarity that became candidates, and the curve of %v:\n", bands)
	r.curve(measure.Curve(pairs, got.candidate, bands.Chance, m.floor, 14))
	r.closest(measure.Closest(pairs, t, m.closest), t)
	return nil
}

// What a chain did with the sample.
type outcome struct {
	fate  []int32
	pairs map[[2]uint32]bool // candidates
}

func (o *outcome) candidate(a, b uint32) bool { return o.pairs[[2]uint32{a, b}] }

// try runs the chain over the sample as doppel fuzzy would, and its first half
// once more with all pairs, which equal records do not make else.
func (m *measuring) try(e *tool.Env, s *sample) (*outcome, error) {
	r := &running{e: e, job: &m.chain.job}
	data, name, err := r.scratch()
	if err != nil {
		return nil, err
	}
	if err := s.write(data); err != nil {
		return nil, err
	}
	for _, flag := range []string{"field", "id", "lines", "with-filename"} {
		m.chain.fs.Lookup(flag).Changed = false // the sample has a form of its own
	}
	decide, _ := m.chain.stages([]string{name})
	out := &outcome{fate: make([]int32, len(s.all)), pairs: map[[2]uint32]bool{}}
	for i := range out.fate {
		out.fate[i] = measure.Kept
	}
	if err := r.capture(decide, out.decision); err != nil {
		return nil, r.ended(err)
	}
	decide[1] = append(decide[1], "--all-pairs")
	if err := r.capture(decide[:2], out.pair); err != nil {
		return nil, r.ended(err)
	}
	return out, nil
}

// capture runs a chain and hands each line of its output, in columns, to fn.
func (r *running) capture(c oldChain, fn func(columns [][]byte) error) error {
	f, _, err := r.scratch()
	if err != nil {
		return err
	}
	if err := r.launch(c, f); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return eachLine(f, fn)
}

func eachLine(f *os.File, fn func([][]byte) error) error {
	lines := bufio.NewScanner(f) // of ids that are numbers: short
	var columns [][]byte
	for lines.Scan() {
		columns = tsv.Split(columns[:0], lines.Bytes())
		if err := fn(columns); err != nil {
			return err
		}
	}
	return lines.Err()
}

func number(id []byte) (uint32, error) {
	n, err := strconv.ParseUint(string(id), 10, 32)
	return uint32(n), err
}

func (o *outcome) pair(c [][]byte) error {
	a, err := number(c[0])
	if err != nil {
		return err
	}
	b, err := number(c[1])
	o.pairs[[2]uint32{min(a, b), max(a, b)}] = true
	return err
}

func (o *outcome) decision(c [][]byte) error {
	if string(c[0]) != "drop" {
		return nil
	}
	id, err := number(c[1])
	if err != nil {
		return err
	}
	kept, err := number(c[2])
	o.fate[id] = int32(kept)
	return err
}
