package fuzzy

import (
	"slices"

	"doppel/pkg/plan"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/recsieve"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
)

// sieve adds a step that runs only recsieve, which writes the same bytes as the chain. If recsieve
// cannot replace the chain, or is probably not faster, sieve adds no step and returns false.
func (f *Options) sieve(b *plan.Builder, operands []string, counts *tool.Counts) bool {
	evidence := f.Evidence
	evidence.Decisions = ""
	simple := f.Fused() && f.Records.Within == "" && !f.Decide.Ranks() && f.Pair.Pairing.Hot == lshpairs.Default().Pairing.Hot && !f.Splits() && f.Old.Save == "" && !evidence.Any() && recsieve.Serves(&f.Apply.Result)
	collected := f.usesCollection()
	if !collected && (f.Job.Print != plan.None || !simple) {
		return false
	}
	o, sign := recsieve.Default(), recsign.Default()
	f.Share(&o.Common)
	o.Records = f.Records
	o.Keys, o.Text = f.Pair.Keys, f.Text
	o.Slots, o.SlotBits, o.Seed = f.Sign.Slots, sign.SlotBits, f.Sign.Seed
	o.Destination, o.Result = f.Apply.Destination, f.Apply.Result
	o.Ordinals = true
	if collected {
		b.Fail(f.useCollection(b, &o))
	} else if len(operands) > 0 && !slices.ContainsFunc(operands, plan.ReadsOnce) {
		probe := b.Env.Stage("recsieve", tool.Std{Stderr: b.Env.Stderr})
		probe.Common = o.SharedOptions().Settled()
		beats, err := o.BeatsChain(probe, operands)
		if b.Fail(err); !beats && err == nil {
			return false
		}
	}
	b.Fail(b.Env.Reads(operands...))
	if b.Dry {
		o.Removed = ""
	} else {
		o.Decisions, o.Removed = b.Output(f.Evidence.Decisions, false), b.Output(o.Removed, false)
	}
	o.OutputName = b.Target(o.OutputName)
	s := plan.Tool("recsieve", &o).On(operands...).Counting(counts)
	b.Preflight(s, operands)
	b.Add(plan.Step{Stdin: true, Stages: []plan.Stage{s}})
	return true
}
