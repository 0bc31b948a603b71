package front

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/front/measure"
	"doppel/pkg/line"
	"doppel/pkg/pipeline"
	"doppel/pkg/plan"
	"doppel/pkg/record"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// measureOptions says which chain is measured, and on how much of the data.
type measureOptions struct {
	flags.Common
	chain   pipeline.Fuzzy
	sample  int
	floor   float64
	closest int
	judged  string
}

func defaultMeasure() measureOptions {
	return measureOptions{Common: ofText(), chain: pipeline.DefaultFuzzy(), sample: 5000, floor: 0.3, closest: 10}
}

// Flags registers the flags. Those that say where a record's text and id are set
// what the sample is taken by; in the chain it has a form of its own.
func (m *measureOptions) Flags(fs *pflag.FlagSet) {
	m.chain.Decisions(fs)
	fs.IntVar(&m.sample, "sample", m.sample, "take `N` records")
	fs.Float64Var(&m.floor, "floor", m.floor, "begin the curve at the similarity `J`")
	fs.IntVar(&m.closest, "closest", m.closest, "print the `N` pairs that are closest to the threshold")
	fs.StringVar(&m.judged, "judged", m.judged, "tell the precision that a person's decisions in `FILE` give; without a dataset, only that")
	flagset.Offer(fs, flags.Part{Common: &m.Common, Shared: flags.Records | flags.Jobs | flags.KeepGoing | flags.Output | flags.Watch})
}

// Check refuses what means nothing.
func (m *measureOptions) Check() error {
	switch {
	case m.sample < 2:
		return tool.UsageError("--sample %d: want at least 2", m.sample)
	case !(0 < m.floor && m.floor < 1):
		return tool.UsageError("--floor %v: want more than 0 and less than 1", m.floor)
	case m.closest < 0:
		return tool.UsageError("--closest %d: want 0 or more", m.closest)
	}
	return m.chain.Check()
}

// Idle returns the flags that do nothing.
func (m *measureOptions) Idle() flags.Idle { return append(m.Common.Idle(), m.chain.Idle()...) }

// Run measures.
func (m *measureOptions) Run(e *tool.Env, operands []string) error {
	if m.judged != "" {
		if err := judgements(e, m.judged); err != nil || len(operands) == 0 {
			return err
		}
		fmt.Fprintln(e.Out)
	}
	t := m.chain.Pair.Keys.Threshold
	bands, err := m.chain.Pair.Keys.Settle(m.chain.Sign.Slots)
	if err != nil {
		return tool.UsageError("%v", err)
	}
	s, err := takeSample(e, operands, m.sample)
	if err != nil {
		return err
	}
	got, err := m.try(e, s)
	if err != nil {
		return err
	}
	sets := s.sets(m.chain.Text.Options)
	pairs := measure.Pairs(sets, min(m.floor, t), e.Jobs)
	r := report{e.Out, s}
	r.shares(sets, pairs, got.fate, t)
	fmt.Fprintf(e.Out, "\npairs of a similarity that became candidates, and the curve of %v:\n", bands)
	r.curve(measure.Curve(pairs, got.candidate, bands.Chance, m.floor, 14))
	r.closest(measure.Closest(pairs, t, m.closest), t)
	return nil
}

// An outcome is what the chain did with the sample.
type outcome struct {
	fate  []int32            // of each record: measure.Kept, or the one that is kept instead
	pairs map[[2]uint32]bool // candidates
}

func (o *outcome) candidate(a, b uint32) bool { return o.pairs[[2]uint32{a, b}] }

// try runs the chain over the sample as doppel fuzzy would.
func (m *measureOptions) try(e *tool.Env, s *sample) (*outcome, error) {
	o := &outcome{fate: make([]int32, len(s.All)), pairs: map[[2]uint32]bool{}}
	for i := range o.fate {
		o.fate[i] = measure.Kept
	}
	chain := m.chain
	chain.Records = record.Options{Fields: []string{flags.Text}} // the sample has nothing but texts
	b := &plan.Builder{Env: e}
	data := b.Scratch("the sample")
	decide := chain.Chain([]string{data.Path()})
	pair := chain.Chain([]string{data.Path()})[:2]
	pair[1].Options.(*lshpairs.Options).Pairing.All = true // equal records are not collapsed
	b.Add(
		plan.Step{Source: &plan.Source{Open: s.open}, Into: data},
		plan.Step{Stages: append(decide, eachLine((*line.Decision).Parse, o.decision))},
		plan.Step{Stages: append(pair, eachLine((*line.Pair).Parse, o.pair))},
	)
	return o, b.Do(io.Discard)
}

// eachLine returns a stage that calls fn with the value of each line.
func eachLine[L any](parse func(*L, []byte) error, fn func(L) error) plan.Stage {
	return plan.Tool("doppel measure", &plan.System{Do: func(e *tool.Env) error {
		lines := bufio.NewScanner(e.Stdin) // of ids that are numbers: short ones
		for lines.Scan() {
			var one L
			if err := parse(&one, lines.Bytes()); err != nil {
				return err
			}
			if err := fn(one); err != nil {
				return err
			}
		}
		return lines.Err()
	}})
}

func (o *outcome) pair(p line.Pair) error {
	a, err := number(p.A)
	if err != nil {
		return err
	}
	b, err := number(p.B)
	o.pairs[[2]uint32{min(a, b), max(a, b)}] = true
	return err
}

func (o *outcome) decision(d line.Decision) error {
	if d.Verdict != line.Drop {
		return nil
	}
	id, err := number(d.ID)
	if err != nil {
		return err
	}
	kept, err := number(d.Kept)
	o.fate[id] = int32(kept)
	return err
}

func number(id []byte) (uint32, error) {
	n, err := strconv.ParseUint(string(id), 10, 32)
	return uint32(n), err
}
