package pipeline

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/stage/recuniq"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Exact removes exact duplicates from a dataset: it is recuniq, with
// statistics, a dry run, and the text of the command. One pass does not tell of
// which record another one is the copy: where that is asked for, a chain does.
type Exact struct {
	flags.Common
	Unique  recuniq.Options
	Removed string // where it is written what was removed, and why
	Report  Report
	Job     Job
}

// DefaultExact compares whole records.
func DefaultExact() Exact { return Exact{Unique: recuniq.Default(), Job: DefaultJob()} }

// Flags registers all flags of recuniq, but for the one that the job takes.
func (x *Exact) Flags(fs *pflag.FlagSet) {
	flagset.OfferExcept(fs, &x.Unique, "stats")
	fs.StringVar(&x.Removed, "removed", x.Removed, "write what was removed, and of what it is a copy, to `FILE` as JSON lines")
	x.Report.Flags(fs)
	flagset.Offer(fs, flags.Part{Common: &x.Common, Shared: flags.KeepGoing | flags.Watch})
	x.Job.Flags(fs)
	x.Job.partFlags(fs)
}

// Check refuses what recuniq does.
func (x *Exact) Check() error {
	if err := x.Unique.Check(); err != nil {
		return err
	}
	if err := checkLists(x.Unique.Save, x.Removed); err != nil {
		return err
	}
	if err := x.Unique.Common.Check(); err != nil {
		return err
	}
	if u := &x.Unique; x.tells() && (u.Count || u.Duplicates || u.Verify || u.Against != "" || u.Save != "") {
		flag := "--removed"
		if x.Removed == "" {
			flag = "--report"
		}
		return tool.UsageError("%s excludes --count, --duplicates, --verify, --against and --save", flag)
	}
	if err := x.Report.Check(); err != nil {
		return err
	}
	return x.Job.Check()
}

// Idle returns the flags that do nothing.
func (x *Exact) Idle() flags.Idle {
	if x.tells() {
		return x.Unique.Common.Idle() // ids name what was removed
	}
	return x.Unique.Idle()
}

// tells reports whether it is to be told of which record each one is the copy.
func (x *Exact) tells() bool { return x.Removed != "" || x.Report.File != "" }

// Run runs it.
func (x *Exact) Run(e *tool.Env, operands []string) error {
	if x.Job.Parts > 0 {
		p, err := x.parts(operands)
		return x.Job.printParts(e, p, err)
	}
	if x.Report.File == "" && (x.Removed == "" || x.Job.dry()) {
		return x.Job.do(e, x.task(operands))
	}
	data, copies, err := again(e, operands)
	if err != nil {
		return err
	}
	if err := e.Reads(operands...); err != nil {
		return err
	}
	t := task{data: data, counts: &scratch{}}
	t.plan = append(copies, x.audited(data, t.counts)...)
	return x.Job.do(e, t)
}

func (x *Exact) task(names []string) task {
	t := task{counts: &scratch{}}
	data := operands(names)
	last := x.stage().with(x.Job.target(x.Unique.OutputName), counting(t.counts), laterReader(data)).on(data)
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
