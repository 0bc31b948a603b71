package pipeline

import (
	"cmp"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/plan"
	"doppel/pkg/record"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/dupreport"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/stage/recuniq"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Exact removes exact duplicates from a dataset: it is recuniq, with
// statistics, a dry run, and the text of the command. One pass does not tell of
// which record another one is the copy: where that is asked for, a chain does.
type Exact struct {
	flags.Common
	Unique    recuniq.Options
	Removed   string // where it is written what was removed, and why
	Decisions string // where the decisions are written, for doppel audit
	Report    Report
	Job       Job
}

// DefaultExact compares whole records.
func DefaultExact() Exact { return Exact{Unique: recuniq.Default(), Job: DefaultJob()} }

// Flags registers all flags of recuniq, but for the one that the job takes.
func (x *Exact) Flags(fs *pflag.FlagSet) {
	flagset.OfferExcept(fs, &x.Unique, "stats")
	fs.StringVar(&x.Removed, "removed", x.Removed, "write what was removed, and of what it is a copy, to `FILE` as JSON lines")
	fs.StringVar(&x.Decisions, "decisions", x.Decisions, "keep the decisions in `FILE`")
	flags.MarkWritten(fs, "removed", "decisions")
	x.Report.Flags(fs)
	flagset.Offer(fs, flags.Part{Common: &x.Common, Shared: flags.KeepGoing | flags.Watch | flags.Sync})
	x.Job.Flags(fs)
	x.Job.partFlags(fs)
}

// Check refuses what recuniq does.
func (x *Exact) Check() error {
	return cmp.Or(x.Unique.Check(), checkLists(x.Unique.Save, x.Removed), checkLists(x.Decisions, ""), x.Unique.Common.Check(),
		x.checkTold(), x.Report.Check(), x.Job.Check())
}

// Idle returns the flags that do nothing.
func (x *Exact) Idle() flags.Idle {
	if x.tells() {
		return x.Unique.Common.Idle() // ids name what was removed
	}
	return x.Unique.Idle()
}

// checkTold refuses what recuniq alone does where other stages do its work: all of its
// options but those that are handed to them.
func (x *Exact) checkTold() error {
	rest, preset := x.Unique, recuniq.Default()
	rest.Common, rest.Normalize, rest.Key = preset.Common, preset.Normalize, preset.Key
	given := rest.Args()
	if x.Decisions != "" && plan.ReadsOnce(x.Decisions) {
		return tool.UsageError("--decisions %s is read again: want a file", x.Decisions)
	}
	if !x.tells() || len(given) == 0 {
		return nil
	}
	flag := "--report"
	if x.Removed != "" {
		flag = "--removed"
	} else if x.Decisions != "" {
		flag = "--decisions"
	}
	name, _, _ := strings.Cut(given[0], "=")
	return tool.UsageError("%s excludes %s", flag, name)
}

// tells reports whether it is to be told of which record each one is the copy.
func (x *Exact) tells() bool { return x.Removed != "" || x.Decisions != "" || x.Report.File != "" }

// Run runs it.
func (x *Exact) Run(e *tool.Env, operands []string) error {
	if x.Job.Parts > 0 {
		return x.Job.printParts(e, operands, x.parts)
	}
	b, counts := x.Job.Build(e), tool.Counts{}
	if x.Report.File == "" && (x.Removed == "" && x.Decisions == "" || x.Job.dry()) {
		b.Fail(e.Reads(operands...))
		o := x.Unique
		if o.OutputName = b.Target(o.OutputName); b.Dry {
			o.Save = ""
		}
		o.Save = b.Output(o.Save, false)
		s := plan.Tool("recuniq", &o).On(operands...).Counting(&counts)
		b.Foresee(s, operands)
		b.Add(plan.Step{Stdin: true, Stages: []plan.Stage{s}})
	} else {
		x.audit(b, b.Reread(operands), &counts)
	}
	return x.Job.Do(b, x.Job.reporting(e, &counts, nil))
}

// audit adds the steps that remove exact duplicates and report of which record each is
// the copy.
func (x *Exact) audit(b *plan.Builder, data []string, counts *tool.Counts) {
	u := x.Unique
	list := addDecisions(b, x.Decisions, x.chain(data)...)
	o := PageOptions(&u.Common)
	o.Records, o.Whole = x.records(dupreport.Default().Records), x.whole()
	u.OutputName = ""
	o.Decisions = list
	x.Report.Add(b, o, data, append([]string{"doppel exact"}, u.Args()...), x.chain(nil)...)
	apply := keepdrop.Default()
	apply.Common, apply.Whole, apply.Removed = x.Unique.Common, x.whole(), x.Removed
	apply.Records, apply.Mem = x.records(keepdrop.Default().Records), keepdrop.Default().Mem
	addApplying(b, applier(b, apply).Counting(counts), list, data)
}

// whole reports whether records are compared, not their texts.
func (x *Exact) whole() bool {
	return len(x.Unique.Records.Fields) == 0 && !x.Unique.Records.Lines
}

// records returns how records are read, with the fields of a stage where there are
// none.
func (x *Exact) records(preset record.Options) record.Options {
	r := x.Unique.Records
	if len(r.Fields) == 0 {
		r.Fields = preset.Fields
	}
	return r
}

// sign returns the stage that signs, by ordinals.
func (x *Exact) sign() plan.Stage {
	u, o := &x.Unique, recsign.Default()
	o.Method, o.Whole, o.Key = "exact", x.whole(), u.Key
	if u.Normalize != text.None {
		o.Normalize = u.Normalize.String()
	}
	o.Records, o.Jobs, o.KeepGoing, o.Watch = x.records(o.Records), u.Jobs, u.KeepGoing, u.Watch
	o.Records.ID, o.Records.WithFilename = "", false
	return plan.Tool("recsign", &o)
}

// chain returns the stages that decide. They have their own defaults of --mem.
func (x *Exact) chain(data []string) []plan.Stage {
	pair, group := lshpairs.Default(), dupgroup.Default()
	pair.Jobs, group.Equal = x.Unique.Jobs, true
	if given := x.Unique.Mem; given != recuniq.Default().Mem {
		pair.Mem, group.Mem = given, given
	}
	return []plan.Stage{x.sign().On(data...), plan.Tool("lshpairs", &pair), plan.Tool("dupgroup", &group)}
}
