// Package passages implements doppel passages, which cuts out repeated passages.
//
// See man/doppel-passages.1.
package passages

import (
	"cmp"

	"github.com/spf13/pflag"

	"doppel/pkg/dedup"
	"doppel/pkg/flagset"
	"doppel/pkg/plan"
	"doppel/pkg/plan/parts"
	"doppel/pkg/stage/dupspan"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/lshkeys"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel passages, which finds the passages that occur more than once in a dataset, and cuts the repeated copies
// out of the records. Internally, records are identified by ordinal, because the ids in the data
// may repeat. Stages that write output for users look up these ids.
type Options struct {
	flags.Common
	Find      dupspan.Options
	Apply     keepdrop.Options
	Annotate  bool   // instead of the records, write the decisions with the position of each passage
	Decisions string // name of a file for the decisions; the records are written as well
	Report    dedup.Report
	Job       dedup.Job
}

// Default returns options that cut passages of at least 200 bytes at word boundaries
// and keep the first copy.
func Default() Options {
	p := Options{Find: dupspan.Default(), Apply: keepdrop.Default(), Job: dedup.DefaultJob()}
	p.Find.Scan, p.Apply.Cut = true, true
	return p
}

func (p *Options) Flags(fs *pflag.FlagSet) {
	flagset.Offer(fs, &p.Find, "length", "normalize", "keep", "copies", "bridge", "snap", "min-left", "against", "against-field", "against-id", "against-records", "counts", "within", "across")
	for name, usage := range map[string]string{
		"length":    "find passages of at least `N` bytes; wN means at least N words",
		"normalize": "normalise words by `HOW`: balanced (default) or conservative",
		"against":   "drop only passages that also occur in the dataset `FILE`; may be repeated",
	} {
		fs.Lookup(name).Usage = usage
	}
	fs.BoolVar(&p.Annotate, "annotate", p.Annotate, "write decisions with the place of each passage, and cut nothing")
	fs.StringVar(&p.Decisions, "decisions", p.Decisions, "write the decisions to `FILE`")
	flags.MarkWritten(fs, "decisions")
	flags.MarkRead(fs, "against", "against-records")
	shared := append([]string{"output", "progress", "no-progress", "field", "missing", "id", "lines", "with-filename", "jobs", "keep-going"}, flags.DialectFlags...)
	flagset.Offer(fs, &p.Apply, append([]string{"removed", "to", "tree", "codec", "level"}, shared...)...)
	flagset.Offer(fs, &p.Find, append([]string{"json", "header", "mem", "expect"}, shared...)...)
	flagset.Offer(fs, flags.Part{Common: &p.Common, Shared: flags.KeepGoing | flags.Watch | flags.Sync | flags.Manifest})
	p.Report.Flags(fs)
	p.Job.Flags(fs)
	p.Job.PartFlags(fs)
	flagset.Assign(fs, flagset.Output, "annotate")
	flagset.Assign(fs, flagset.Evidence, "decisions")
}

// Essential returns the flags that -h shows.
func (p *Options) Essential() []string {
	return []string{"length", "normalize", "within", "keep", "against", "field", "missing", "output", "dry-run", "removed", "report", "jobs"}
}

// Check rejects options that the stages reject, and options without effect.
func (p *Options) Check() error {
	find := p.Find
	find.Data = []string{"records"} // a placeholder, because Check does not know the files
	if err := cmp.Or(find.Check(), dedup.CheckLists(p.Apply.Removed, p.Decisions), p.Apply.Common.Check()); err != nil {
		return err
	}
	switch {
	case p.Annotate && (p.Apply.Removed != "" || p.Decisions != "" || p.Job.DryRun || p.Report.File != ""):
		return tool.UsageError("--annotate removes nothing, so it cannot be used with --removed, --decisions, --report or --dry-run")
	case p.Annotate && (p.Apply.To != "" || p.Apply.Codec != "" || p.Apply.Level != 0):
		return tool.UsageError("--annotate writes decisions, not records, so it cannot be used with --to, --codec or --level")
	case !p.Annotate && (p.Find.JSON || p.Find.Header):
		return tool.UsageError("--json and --header need --annotate, which writes decisions")
	case !p.Annotate && p.Find.Counts:
		return tool.UsageError("--counts needs --annotate, which writes decisions")
	case !p.Annotate && p.Apply.Records.CSV:
		return tool.UsageError("--csv needs --annotate: passages cannot be cut from CSV")
	case !p.Annotate && len(p.Apply.Records.Fields) > 1:
		return tool.UsageError("passages can be cut only from one field: want one --field, or --annotate")
	case !p.Annotate && p.Apply.Records.IntoArray() != "":
		return tool.UsageError("--field %s leads into an array: want a path to one string, or --annotate", p.Apply.Records.IntoArray())
	}
	return cmp.Or(dedup.CheckReread("decisions", p.Decisions), p.Report.Check(), p.Job.Check())
}

// ListsLines reports whether the run writes decisions, not records.
func (p *Options) ListsLines() bool { return p.Annotate }

func (p *Options) Idle() flags.Idle {
	c := p.Job.Results(p.Apply.Common)
	i := c.Idle()
	p.Job.Idle(&i)
	i.When(len(p.Find.Against) > 0, "with --against", "keep", "copies")
	p.Find.Old.Idle(&i, len(p.Find.Against) > 0, &p.Find.Records)
	return i
}

func (p *Options) Run(e *tool.Env, operands []string) error {
	if p.Job.Parts > 0 {
		return p.Job.PrintParts(e, operands, p.Apply.Tree, p.parts)
	}
	b := p.Job.Build(e)
	data := b.Reread(operands, p.Find.Records)
	find := p.find(data)
	o := find.Options.(*dupspan.Options)
	if p.Annotate {
		o.OutputName = b.Output(p.Find.OutputName, true)
		b.Add(plan.Step{Stages: []plan.Stage{find}})
		return p.Job.Do(b, nil)
	}
	var counts tool.Counts
	list := dedup.AddDecisions(b, p.Decisions, find)
	page, shown := dedup.PageOptions(&p.Apply.Common), p.Find
	shown.OutputName, shown.Scan, page.Decisions = "", false, list
	page.Against, page.Old = p.Find.References(), p.Find.Old
	p.Report.Add(b, page, data, append([]string{"doppel passages"}, shown.Args()...), p.find(nil))
	apply := p.Apply
	apply.Ordered = apply.Removed == "" || b.Dry // only --removed needs all decisions in memory
	apply.Partial = !apply.Ordered && len(p.Find.Against) > 0
	apply.Against, apply.Old = p.Find.References(), p.Find.Old
	dedup.AddApplying(b, dedup.ApplyStage(b, apply).Counting(&counts), list, data)
	return p.Job.Do(b, p.Job.Reporting(e, &counts, nil))
}

// find returns the dupspan stage, without an output file. With Annotate, its output contains the
// ids of records. Otherwise it contains ordinals, which keepdrop expects.
func (p *Options) find(data []string) plan.Stage {
	o := p.Find
	o.OutputName, o.Data = "", data
	if !p.Annotate {
		o.Records.ID, o.Records.WithFilename = "", false
	}
	return plan.Tool("dupspan", &o)
}

// parts returns the plan of a run in parts: keys for each shard, repeated keys for each part, and
// one reduce step. The reduce step reads all shards, because a passage may occur in any two shards.
func (p *Options) parts(shards []string) (*parts.Plan, error) {
	switch {
	case p.Job.Print == plan.JSON:
		return nil, tool.UsageError("--print=json --parts applies only to doppel fuzzy and doppel exact")
	case p.Find.KeepGoing:
		return nil, dedup.NotMade()
	}
	one := dedup.InOneProcess
	if err := cmp.Or(
		one("annotate", p.Annotate), one("against", len(p.Find.Against) > 0), dedup.ResultInOneProcess(&p.Apply.Result), one("decisions", p.Decisions != ""),
		one("output", p.Apply.OutputName != ""), one("to", p.Apply.To != ""), one("expect", p.Find.Records.Expect > 0), one("report", p.Report.File != ""),
	); err != nil {
		return nil, err
	}
	sign, decide, apply := recsign.Default(), p.Find, keepdrop.Default()
	sign.Method, sign.Length, sign.Normalize = "passage", p.Find.Length, p.Find.Normalize
	sign.Records, apply.Records = p.Find.Records, p.Find.Records
	apply.Cut, apply.Ordered = true, true
	apply.Destination, apply.Tree = p.Apply.Destination, false
	decide.Scan, decide.Length, decide.Normalize = false, Default().Find.Length, ""
	for _, c := range []*flags.Common{&sign.Common, &apply.Common} {
		c.Records.Within, c.Records.Across = "", ""
	}
	for _, c := range []*flags.Common{&sign.Common, &decide.Common, &apply.Common} {
		c.Records.ID, c.Records.WithFilename = "", true
	}
	decide.Data = shards
	return &parts.Plan{
		Command: "doppel passages", Shards: shards, N: p.Job.Parts, Spans: true,
		Sign: plan.Tool("recsign", &sign), Keys: plan.Tool("lshkeys", new(lshkeys.Default())), Decide: plan.Tool("dupspan", &decide), Apply: plan.Tool("keepdrop", &apply),
	}, nil
}
