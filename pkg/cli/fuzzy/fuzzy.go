// Package fuzzy implements doppel fuzzy, which removes near-duplicates from a dataset.
//
// See man/doppel-fuzzy.1.
package fuzzy

import (
	"cmp"

	"github.com/spf13/pflag"

	"doppel/pkg/dedup"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel fuzzy: those of the chain, and those of --plan.
type Options struct {
	dedup.Near
	Plan Forecast
}

// Default returns options that remove records whose similarity to a kept record is at least 0.8.
func Default() Options {
	return Options{Near: dedup.DefaultNear(), Plan: Forecast{Sample: defaultSample, Machines: 1}}
}

func (f *Options) Flags(fs *pflag.FlagSet) {
	f.Near.Flags(fs)
	f.Job.PartFlags(fs)
	f.Plan.Flags(fs)
}

// Essential returns the flags that -h shows.
func (f *Options) Essential() []string {
	return []string{"threshold", "within", "rank", "against", "field", "lines", "output", "dry-run", "removed", "report", "jobs", "missing"}
}

// Check rejects options that cannot be used together, and options that a stage rejects.
func (f *Options) Check() error { return cmp.Or(f.CheckStages(), f.checkCollection(), f.checkJob()) }

func (f *Options) Idle() flags.Idle {
	i := f.IdleDeciding()
	f.Plan.idle(&i)
	if f.Plan.Form == "" {
		f.Job.Idle(&i)
	}
	saved := f.Old.Save
	if !option.IsCollection(saved) {
		saved = ""
	}
	f.Old.Collection.Idle(&i, saved)
	i.When(!f.usesCollection(), "without a collection", "estimate")
	return i
}

func (f *Options) Run(e *tool.Env, operands []string) error {
	if f.Plan.Form != "" {
		return f.forecast(e, operands)
	}
	if f.Job.Parts > 0 {
		return f.Job.PrintParts(e, operands, f.Apply.Tree, f.parts)
	}
	b, counts, compared := f.Job.Build(e), tool.Counts{}, (*tool.Counts)(nil)
	if !f.sieve(b, operands, &counts) {
		data := b.Reread(operands, f.Records)
		b.Fail(f.Prepare(e))
		compared = f.AddSteps(b, data, f.Applier(b).Counting(&counts))
	}
	return f.Job.Do(b, f.Job.Reporting(e, &counts, compared))
}
