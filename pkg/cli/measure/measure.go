// Package measure implements doppel measure, which measures recall and precision of doppel fuzzy on
// a sample.
//
// See man/doppel-measure.1.
package measure

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/dedup"
	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/measure"
	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/record"
	"doppel/pkg/review/judgement"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel measure: the chain to measure, and the size of the
// sample.
type Options struct {
	flags.Common
	chain   dedup.Near
	sample  int
	floor   float64
	closest int
	judged  string
}

// Default returns options that measure doppel fuzzy on 5000 records.
func Default() Options {
	return Options{Common: flags.OfText(), chain: dedup.DefaultNear(), sample: 5000, floor: 0.3, closest: 10}
}

// Flags registers the flags. The flags for a record's text and id apply to the input from which
// the sample is drawn. The chain reads the sample as JSON lines that contain only a text.
func (m *Options) Flags(fs *pflag.FlagSet) {
	m.chain.Decisions(fs)
	fs.Lookup("threshold").Usage = "measure doppel fuzzy with the threshold `T`"
	fs.IntVar(&m.sample, "sample", m.sample, "sample `N` records")
	fs.Float64Var(&m.floor, "floor", m.floor, "show recall for similarities of `J` and more")
	fs.IntVar(&m.closest, "closest", m.closest, "print the `N` pairs closest to the threshold")
	fs.StringVar(&m.judged, "judged", m.judged, "compute precision from `FILE`, written by dupreview; it has the decisions of a person; without a dataset, print nothing else")
	flagset.Offer(fs, flags.Part{Common: &m.Common, Shared: flags.Records | flags.Jobs | flags.KeepGoing | flags.Output | flags.Watch})
	flagset.Assign(fs, flagset.Evidence, "sample", "floor", "closest", "judged")
}

// Essential returns the flags that -h shows.
func (m *Options) Essential() []string {
	return []string{"threshold", "recall", "shingle", "normalize", "field", "lines", "output", "sample", "floor", "closest", "judged", "jobs"}
}

func (m *Options) Check() error {
	switch {
	case m.sample < 2:
		return tool.UsageError("--sample %d: want 2 or more", m.sample)
	case !(0 < m.floor && m.floor < 1):
		return tool.UsageError("--floor %v: want more than 0 and less than 1", m.floor)
	case m.chain.Decide.NeedsRecords():
		return tool.UsageError("--rank %q: want %s: the sample holds texts, no other fields", m.chain.Decide.Rank, msg.Or(dupgroup.RuleNames()))
	case m.closest < 0:
		return tool.UsageError("--closest %d: want 0 or more", m.closest)
	}
	return m.chain.Check()
}

func (m *Options) Idle() flags.Idle { return append(m.Common.Idle(), m.chain.IdleDeciding()...) }

func (m *Options) Run(e *tool.Env, operands []string) error {
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
	got, err := m.runChain(e, s)
	if err != nil {
		return err
	}
	texts := make([][]byte, len(s.All))
	for i, one := range s.All {
		texts[i] = one.text
	}
	sets := measure.Sets(texts, m.chain.Text.Options)
	const clear = 0.02
	recall, clearRecall := measure.NewRecall(got.fate, t), measure.NewRecall(got.fate, t+clear)
	curve, closest := measure.NewCurve(m.floor, 14), measure.Closest(t, m.closest)
	measure.EachPair(sets, min(m.floor, t), e.Jobs, func(p measure.Pair) {
		recall.Add(p)
		clearRecall.Add(p)
		curve.Add(p, got.pairs.Has(p.A, p.B), bands.Chance(p.Similarity))
		if closest.Takes(p) {
			closest.Add(p)
		}
	})
	share := func(name string, s measure.Estimate, what string, t float64) {
		low, high := s.Interval()
		fmt.Fprintf(e.Out, "%s\t%.4f\t%d of %d "+what+"\t%.4f\t%.4f\n", name, roundDown(s.Value()), s.Part, s.Of, decimals(t), roundDown(low), high)
	}
	fmt.Fprintf(e.Out, "sample\t%d of %s\n", len(s.All), msg.Number(s.seen, "record"))
	share("recall", recall.Estimate(), "pairs of similarity %s or more lost a record", t)
	share("recall", clearRecall.Estimate(), "pairs of similarity %s or more lost a record", t+clear)
	share("precision", measure.Precision(sets, got.fate, t), "dropped records are similar to the one named, %s or more", t)
	fmt.Fprintf(e.Out, "\npairs of a similarity that became candidates, and the curve of %v:\n", bands)
	writeCurve(e.Out, curve)
	if len(closest.All) > 0 {
		fmt.Fprintf(e.Out, "\npairs closest to %s:\n", decimals(t))
	}
	for _, p := range closest.All { // print the pairs in the line format of scored pairs
		score := line.Score{Pair: line.Pair{A: s.All[p.A].id, B: s.All[p.B].id}, Score: roundDown(p.Similarity)}
		e.Out.Write(score.Append(nil, line.Format{}))
	}
	return nil // failed writes are reported when e.Out is flushed
}

// writeCurve writes, for each range of similarities, how many pairs became candidates.
func writeCurve(w io.Writer, curve *measure.Curve) {
	fmt.Fprintf(w, "similarity\tpairs\tmeasured\texpected\n")
	for _, b := range curve.Bins {
		measured, expected := "-", "-"
		if b.Found.Of > 0 {
			measured, expected = fmt.Sprintf("%.4f", b.Found.Value()), fmt.Sprintf("%.4f", b.Expected)
		}
		fmt.Fprintf(w, "%s-%s\t%d\t%s\t%s\n", decimals(b.Low), decimals(b.High), b.Found.Of, measured, expected)
	}
}

// roundDown rounds a share down to four decimals for printing, so that only a share of 1 is printed
// as 1.0000. The addend 1e-9 corrects rounding errors: 0.57 times 10,000 gives 5699.999…. For
// shares of at most 10^9 records, the addend is too small to round a value up.
func roundDown(v float64) float64 { return math.Floor(v*1e4+1e-9) / 1e4 }

// decimals formats a similarity with two decimals, or with up to four if it has more.
func decimals(v float64) string {
	text := fmt.Sprintf("%.4f", v)
	return text[:4] + strings.TrimRight(text[4:], "0")
}

// An outcome is the result of the chain on the sample.
type outcome struct {
	fate  []int32          // for each record, measure.Kept or the number of the record kept instead
	pairs *measure.PairSet // the candidate pairs
}

// runChain runs the chain on the sample as doppel fuzzy does.
func (m *Options) runChain(e *tool.Env, s *sample) (*outcome, error) {
	o := &outcome{fate: make([]int32, len(s.All)), pairs: measure.NewPairSet(len(s.All))}
	for i := range o.fate {
		o.fate[i] = measure.Kept
	}
	chain := m.chain
	chain.Records = record.Options{Fields: []string{flags.Text}} // the sample has no field other than the text
	b := &plan.Builder{Env: e}
	data := b.Scratch("the sample")
	decide := chain.Chain([]string{data.Path()})
	pair := chain.Chain([]string{data.Path()})[:2]
	pair[1].Options.(*lshpairs.Options).Pairing.All = true // pair all copies of a record, not only the first copy
	b.Add(
		plan.Step{Source: &plan.Source{Open: s.open}, Into: data},
		plan.Step{Stages: append(decide, eachLine((*line.Decision).Parse, func(d line.Decision) error {
			if d.Verdict != line.Drop {
				return nil
			}
			id, err := strconv.ParseUint(string(d.ID), 10, 32)
			if err != nil {
				return err
			}
			kept, err := strconv.ParseUint(string(d.Kept), 10, 32)
			o.fate[id] = int32(kept)
			return err
		}))},
		plan.Step{Stages: append(pair, eachLine((*line.Pair).Parse, func(p line.Pair) error {
			x, err := strconv.ParseUint(string(p.A), 10, 32)
			if err != nil {
				return err
			}
			y, err := strconv.ParseUint(string(p.B), 10, 32)
			o.pairs.Add(uint32(x), uint32(y))
			return err
		}))},
	)
	return o, b.Do(io.Discard)
}

// eachLine returns a stage that parses each line and calls fn with the result.
func eachLine[L any](parse func(*L, []byte) error, fn func(L) error) plan.Stage {
	return plan.Tool("doppel measure", &plan.System{Do: func(e *tool.Env) error {
		lines := bufio.NewScanner(e.Stdin) // ids are numbers here, so no line is too long for a Scanner
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

// judgements reads a person's decisions from a file written by dupreview. It prints the precision
// at several thresholds within the range of the scores in the file.
func judgements(e *tool.Env, name string) error {
	in, err := e.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	l, whole, err := judgement.ParseJudgements(text)
	if err == nil && whole < len(text) {
		err = fmt.Errorf("the last decision is incomplete")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	fmt.Fprintf(e.Out, "judged\t%s\n", msg.Number(len(l.All()), "pair"))
	fmt.Fprintf(e.Out, "threshold\tsame\tjudged\tprecision\tlow\thigh\n")
	for _, c := range judgement.Cuts(l.All()) {
		fmt.Fprintf(e.Out, "%.2f\t%d\t%d\t%.4f\t%.4f\t%.4f\n", c.At, c.Same, c.Of, roundDown(c.Share.Value), roundDown(c.Share.Low), c.Share.High)
	}
	return nil
}
