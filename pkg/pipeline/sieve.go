package pipeline

import (
	"slices"

	"doppel/pkg/plan"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/recsieve"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
)

// sieves reports whether a run is one of recsieve: it gives the same bytes, and is faster.
func (f *Fuzzy) sieves(e *tool.Env, operands []string) (bool, error) {
	evidence := f.Evidence
	evidence.Decisions = ""
	simple := f.fused() && f.Decide.Rank == "first" && f.Pair.Pairing.Hot == lshpairs.Default().Pairing.Hot && !f.splits() && f.Old.Save == "" && !evidence.any()
	if f.Job.Print != plan.None || !simple {
		return false, nil
	}
	if len(operands) == 0 || slices.ContainsFunc(operands, plan.ReadsOnce) {
		return true, nil
	}
	o := f.sieveOptions()
	probe := e.Stage("recsieve", tool.Std{Stderr: e.Stderr})
	probe.Common = o.SharedOptions().Settled()
	return o.BeatsChain(probe, operands)
}

// sieveOptions returns the options of recsieve that do as the chain does.
func (f *Fuzzy) sieveOptions() *recsieve.Options {
	o, sign := recsieve.Default(), recsign.Default()
	f.share(&o.Common)
	o.Records = f.Records
	o.Keys, o.Text = f.Pair.Keys, f.Text
	o.Slots, o.SlotBits, o.Seed = f.Sign.Slots, sign.SlotBits, f.Sign.Seed
	o.To, o.Codec, o.Level = f.Apply.To, f.Apply.Codec, f.Apply.Level
	o.Ordinals = true
	return &o
}

// sieve adds the one step of such a run.
func (f *Fuzzy) sieve(b *plan.Builder, operands []string, counts *tool.Counts) {
	b.Fail(b.Env.Reads(operands...))
	o := f.sieveOptions()
	if !b.Dry {
		o.Decisions, o.Removed = b.Output(f.Evidence.Decisions, false), b.Output(f.Apply.Removed, false)
	}
	o.OutputName = b.Target(f.Apply.OutputName)
	s := plan.Tool("recsieve", o).On(operands...).Counting(counts)
	b.Foresee(s, operands)
	b.Add(plan.Step{Stdin: true, Stages: []plan.Stage{s}})
}
