package pipeline

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/stage/recuniq"
	"doppel/pkg/tool"
)

// Exact removes exact duplicates from a dataset: it is recuniq, with
// statistics, a dry run, and the text of the command.
type Exact struct {
	tool.Common
	Unique recuniq.Options
	Job    Job
}

// DefaultExact compares whole records.
func DefaultExact() Exact { return Exact{Unique: recuniq.Default(), Job: DefaultJob()} }

// Flags registers all flags of recuniq, but for the one that the job takes.
func (x *Exact) Flags(fs *pflag.FlagSet) {
	flagset.OfferExcept(fs, &x.Unique, "stats")
	flagset.Offer(fs, tool.Part{Common: &x.Common, Shared: tool.KeepGoing | tool.Watch})
	x.Job.Flags(fs)
}

// Check refuses what recuniq does.
func (x *Exact) Check() error {
	if err := x.Unique.Check(); err != nil {
		return err
	}
	return x.Job.Check()
}

// Idle returns the flags that do nothing.
func (x *Exact) Idle() tool.Idle { return x.Unique.Idle() }

// Run runs it.
func (x *Exact) Run(e *tool.Env, operands []string) error {
	return x.Job.do(e, x.task(operands))
}

func (x *Exact) task(names []string) task {
	t := task{counts: &Scratch{}}
	data := operands(names)
	last := x.stage().with(x.Job.target(x.Unique.OutputName), counting(t.counts), calls(data)).on(data)
	t.plan = Plan{{stdin: true, stages: []Stage{last}}}
	return t
}

// stage returns recuniq, without its output.
func (x *Exact) stage() Stage {
	o := x.Unique
	save := o.Save
	if x.Job.dry() {
		save = ""
	}
	o.OutputName, o.Save = "", ""
	return stage("recuniq", plain(o.Args()...), into("save", save))
}
