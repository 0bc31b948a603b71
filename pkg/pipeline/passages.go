package pipeline

import (
	"cmp"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/record/dataform"
	"doppel/pkg/stage/dupspan"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Passages cuts the passages of records that stand elsewhere too. The chain runs
// on ordinals, which cannot repeat; ids are looked up for what people read.
type Passages struct {
	flags.Common
	Find     dupspan.Options
	Apply    keepdrop.Options
	Annotate bool // the decisions are written, not the records
	Report   Report
	Job      Job
}

// DefaultPassages cuts passages of 200 bytes, between words, and keeps the first.
func DefaultPassages() Passages {
	p := Passages{Find: dupspan.Default(), Apply: keepdrop.Default(), Job: DefaultJob()}
	p.Find.Scan, p.Apply.Cut = true, true
	return p
}

// Flags registers the flags.
func (p *Passages) Flags(fs *pflag.FlagSet) {
	flagset.Offer(fs, &p.Find, "length", "normalize", "keep", "copies", "bridge", "snap", "min-left", "against", "against-records", "counts")
	for name, usage := range map[string]string{
		"length":    "find passages of `N` bytes, or of wN words, or more",
		"normalize": "balanced or conservative: `HOW` to normalise words",
		"against":   "drop what stands in the records of `FILE`, and nothing else; may be given again",
	} {
		fs.Lookup(name).Usage = usage
	}
	fs.BoolVar(&p.Annotate, "annotate", p.Annotate, "write the decisions, which say what stands where, and cut nothing")
	flagset.Offer(fs, &p.Apply, "removed", "to", "codec", "level", "output", "progress", "no-progress", "field", "id", "lines", "with-filename", "jobs", "keep-going")
	flagset.Offer(fs, &p.Find, "json", "header", "mem", "output", "progress", "no-progress", "field", "id", "lines", "expect", "with-filename", "jobs", "keep-going")
	flagset.Offer(fs, flags.Part{Common: &p.Common, Shared: flags.KeepGoing | flags.Watch})
	p.Report.Flags(fs)
	p.Job.Flags(fs)
	p.Job.partFlags(fs)
}

// Check refuses what the stages refuse, and what does nothing.
func (p *Passages) Check() error {
	find := p.Find
	find.Data = []string{"records"} // which they are is known when it runs
	return cmp.Or(find.Check(), dataform.CheckLines(p.Apply.Removed), p.Apply.Common.Check(),
		p.checkWhole(), p.Report.Check(), p.Job.Check())
}

// checkWhole refuses options that exclude each other.
func (p *Passages) checkWhole() error {
	switch {
	case p.Annotate && (p.Apply.Removed != "" || p.Job.DryRun || p.Report.File != ""):
		return tool.UsageError("--annotate removes nothing: --removed, --report and --dry-run go without it")
	case p.Annotate && (p.Apply.To != "" || p.Apply.Codec != "" || p.Apply.Level != 0):
		return tool.UsageError("--to, --codec and --level are of records: --annotate writes decisions")
	case p.Report.File != "" && len(p.Find.Against) > 0:
		return tool.UsageError("--report and --against exclude each other: the texts of other records are not at hand")
	case !p.Annotate && (p.Find.JSON || p.Find.Header):
		return tool.UsageError("--json and --header are of the decisions: they go with --annotate")
	case !p.Annotate && p.Find.Counts:
		return tool.UsageError("--counts is of the decisions: it goes with --annotate")
	case !p.Annotate && len(p.Apply.Records.Fields) > 1:
		return tool.UsageError("passages are cut out of one field: several go with --annotate")
	}
	return nil
}

// Idle returns the flags that do nothing.
func (p *Passages) Idle() flags.Idle {
	i := p.Apply.Common.Idle()
	i.When(len(p.Find.Against) > 0, "with --against", "keep", "copies")
	return i
}

// Run runs it.
func (p *Passages) Run(e *tool.Env, operands []string) error {
	if p.Job.Parts > 0 {
		return p.Job.printParts(e, operands, p.parts)
	}
	data, copies, err := again(e, operands)
	if err != nil {
		return err
	}
	finding := step{stages: []Stage{p.find(data)}}
	if p.Annotate {
		return p.Job.do(e, task{plan: append(copies, finding), data: data})
	}
	finding.into = &scratch{}
	list, counts := []word{{scratch: finding.into}}, &scratch{}
	last := p.apply().with(p.Job.target(p.Apply.OutputName), counting(counts))
	plan := append(append(copies, finding), p.report(data, list)...)
	return p.Job.do(e, task{append(plan, applying(last, list, data)), data, p.Job.reporting(counts, nil)})
}

// report returns the step that reports.
func (p *Passages) report(data, list []word) Plan {
	o, find := page(&p.Apply.Common), p.Find
	find.OutputName, find.Scan = "", false
	o.Command = commandLine("doppel passages", find.Args(), data)
	o.Chain = chainOf(p.find(nil))
	return p.Report.step(o, data, flagged("decisions", list), told(o.KeepGoing))
}

// find returns dupspan. Ids are only shown, so that a list that is applied is of
// ordinals.
func (p *Passages) find(data []word) Stage {
	o := p.Find
	output := o.OutputName
	o.OutputName = ""
	if !p.Annotate {
		o.Records.ID, o.Records.WithFilename, output = "", false, ""
	}
	return stage("dupspan", plain(o.Args()...), into("output", output), laterReader(data), flagged("records", data))
}

// apply returns the stage that cuts. What stands in the records of --against is not
// among those that it reads. Where it is not told what was removed, it need not hold
// the decisions.
func (p *Passages) apply() Stage {
	o := p.Apply
	o.Ordered = o.Removed == "" || p.Job.dry()
	o.Partial = !o.Ordered && len(p.Find.Against) > 0
	return p.Job.apply(o, told(o.KeepGoing))
}
