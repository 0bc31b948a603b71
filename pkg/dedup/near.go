// Package dedup holds what the commands that remove duplicates from datasets share: doppel fuzzy,
// exact, passages, cut, groups, measure and pipeline. [Near] is the chain that finds near-duplicates,
// and [Job] runs or prints the chain of a command. A command is a struct with the options of its
// stages. It checks the options and adds its steps to a plan.Builder. Package plan runs the steps,
// or prints them as a shell script.
package dedup

import (
	"cmp"
	"fmt"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/lsh"
	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/groups"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/jaccgroup"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Near is the chain that removes near-duplicates from a dataset. Common holds the options that all stages share; the
// other fields hold options of single stages. Internally, records are identified by ordinal,
// because the ids in the data may repeat. Only stages whose output is for users look up these ids.
type Near struct {
	flags.Common
	Sign   recsign.Options
	Text   option.Text // how the comparing stages make shingles; set by the same flags as in Sign
	Pair   lshpairs.Options
	Decide dupgroup.Options
	Apply  keepdrop.Options
	Old    Old
	Job    Job

	Evidence Evidence
}

// DefaultNear returns a Near that removes records whose similarity to a kept record is at least
// 0.8.
func DefaultNear() Near {
	return Near{
		Common: flags.OfText(),
		Sign:   recsign.Default(),
		Text:   option.DefaultText(),
		Pair:   lshpairs.Default(),
		Decide: dupgroup.Default(),
		Apply:  keepdrop.Default(),
		Job:    DefaultJob(),
	}
}

// Flags registers the flags of all stages and of the job.
func (f *Near) Flags(fs *pflag.FlagSet) {
	f.Decisions(fs)
	option.ValueFlags(fs, &f.Records)
	f.CommonFlags(fs, "expect", "progress", "no-progress", "no-sync", "manifest", "finished")
	f.ResultFlags(fs)
	flagset.Offer(fs, &f.Decide, "keep", "counts")
	flagset.Offer(fs, &f.Sign, "split", "least")
	fs.Lookup("split").Usage = "cut out duplicate `PARTS`: lines, paragraphs, sentences or wN; wN means N words"
	f.Old.Flags(fs)
	f.Evidence.Flags(fs)
	fs.BoolVar(&f.Apply.OnlyIDs, "ids", f.Apply.OnlyIDs, "write the ids of the kept records, not the records")
	flagset.Offer(fs, &f.Apply.Result, "annotate")
	fs.Lookup("annotate").Usage = "write all records, with fields that mark duplicates and name the kept record"
	f.Evidence.Report.Flags(fs)
	flagset.Assign(fs, flagset.Output, "ids")
	f.Job.Flags(fs)
	flagset.Assign(fs, flagset.Evidence, "counts")
}

// ResultFlags registers the flags that say how kept and removed records are written, except --ids
// and --annotate.
func (f *Near) ResultFlags(fs *pflag.FlagSet) {
	flagset.OfferExcept(fs, &f.Apply.Result, "min-left", "only-ids", "annotate")
	flagset.Offer(fs, &f.Apply, "output", "tree", "to", "codec", "level")
}

// Decisions registers the flags that affect which records are kept.
func (f *Near) Decisions(fs *pflag.FlagSet) {
	flagset.Offer(fs, &f.Pair, "threshold", "recall", "bands", "rows", "hot")
	fs.Lookup("threshold").Usage = "remove records `T` or more similar, 0 to 1 (default 0.8); T is more than 0"
	flagset.Offer(fs, &f.Text, "shingle", "normalize", "key")
	flagset.Offer(fs, &f.Sign, "shingle", "normalize", "slots", "seed", "key")
	flagset.Offer(fs, &f.Decide, "policy", "rank")
	f.CommonFlags(fs, append([]string{"mem", "jobs", "keep-going", "field", "missing", "id", "lines", "max-record", "with-filename"}, flags.DialectFlags...)...)
}

// CommonFlags registers the named flags of the options that all stages share. Near.Share copies their
// values to a stage.
func (f *Near) CommonFlags(fs *pflag.FlagSet, names ...string) {
	all := flags.Records | flags.Memory | flags.Jobs | flags.KeepGoing | flags.Watch | flags.Sync | flags.Manifest
	flagset.Offer(fs, flags.Part{Common: &f.Common, Shared: all}, names...)
	if mem := fs.Lookup("mem"); mem != nil {
		mem.Usage, mem.DefValue = "let each stage use `SIZE` of memory (default: its own limit); the rest is on disk", ""
	}
}

// Share copies the shared options to a stage and makes the stage use ordinals as ids.
func (f *Near) Share(c *flags.Common) {
	c.Records, c.Jobs, c.KeepGoing = f.Records, f.Jobs, f.KeepGoing
	c.Records.ID, c.Records.WithFilename, c.Records.Expect = "", false, 0
	c.Records.Within, c.Records.Across = "", ""
	if f.Mem > 0 && c.Mem > 0 {
		c.Mem = f.Mem
	}
}

// Check rejects options that cannot be used together, and options that a stage or the job rejects.
func (f *Near) Check() error { return cmp.Or(f.CheckStages(), f.Job.Check()) }

// CheckStages is Check without the options of the job.
func (f *Near) CheckStages() error {
	switch sized := f.Apply.Sizes.Flag(); {
	case f.Evidence.Scores != "" && len(f.Old.Against) > 0:
		return tool.UsageError("--scores and --against cannot be used together: a pair does not say which record is old")
	case f.Apply.OnlyIDs && (f.Apply.Annotate || f.Splits() || f.Apply.Removed != "" || f.Apply.To != ""):
		return tool.UsageError("--ids writes no records, so it cannot be used with --annotate, --split, --removed or --to")
	case f.Apply.OnlyIDs && f.Apply.Directory():
		return tool.UsageError("--output %s: a directory, but ids are written to one file", f.Apply.OutputName)
	case f.Apply.OnlyIDs && f.Apply.NamesParquet():
		return tool.UsageError("--output %s: ids cannot be written as Parquet", f.Apply.OutputName)
	case f.Apply.Annotate && f.Apply.Removed != "":
		return tool.UsageError("--annotate removes nothing, so it cannot be used with --removed")
	case f.Apply.Annotate && f.Records.Missing == record.MissingDrop:
		return msg.WithHint(tool.UsageError("--annotate removes nothing, so it cannot be used with --missing drop"), "--missing keep writes such records, too")
	case f.Decide.Keep == dupgroup.None && (f.Evidence.Groups != "" || f.Apply.Annotate):
		return msg.WithHint(tool.UsageError("--keep none leaves no record that a group or dup_of could name, so it cannot be used with --groups or --annotate"),
			"doppel groups lists the groups")
	case sized != "" && (f.Apply.Annotate || f.Apply.OnlyIDs || f.Splits()):
		return tool.UsageError("%s writes whole records, so it cannot be used with --annotate, --ids or --split", sized)
	case f.Splits() && (len(f.Old.Against) > 0 || f.Old.Save != "" || f.Evidence.Groups != "" || f.Apply.Annotate):
		return tool.UsageError("--split cuts parts of records, so it cannot be used with --against, --save, --groups or --annotate")
	case f.Splits() && f.Decide.NeedsRecords():
		return tool.UsageError("--rank %s ranks whole records, so it cannot be used with --split", f.Decide.Rank)
	}
	operands, v := []string{plan.Stdin}, &f.Evidence // a placeholder, because Check does not know the operands
	if err := cmp.Or(f.SignStage().Options.Check(), f.Pair.Check(), f.VerifyStage(operands).Options.Check(), f.GroupStage(operands).Options.Check(),
		dataform.CheckOutput(v.Scores), CheckLists(v.Decisions, v.Groups), CheckReread("decisions", v.Decisions)); err != nil {
		return err
	}
	if !IsParquet(v.Scores) {
		if err := cmp.Or(dataform.CheckLines(v.Scores), CheckReread("scores", v.Scores)); err != nil {
			return err
		}
	}
	return cmp.Or(v.Report.Check(), f.Old.Check(), f.Apply.Sizes.Check(&f.Records), CheckLists(f.Old.Save, f.Apply.Removed), f.Apply.Common.Check())
}

// Splits reports whether the chain cuts duplicate parts out of records.
func (f *Near) Splits() bool { return f.Sign.Split != text.Unsplit }

// IdleDeciding considers the shared flags and the flags that Decisions registers, and returns those
// that have no effect.
func (f *Near) IdleDeciding() flags.Idle {
	i := f.IdleShared()
	i.When(f.banded(), "with --bands or --rows", "recall")
	f.Old.Read.Idle(&i, len(f.Old.Against) > 0, &f.Records)
	return i
}

// IdleShared returns the shared flags that have no effect.
func (f *Near) IdleShared() flags.Idle {
	c := f.Common
	c.Destination = f.Apply.Destination
	c = f.Job.Results(c)
	i := c.Idle()
	f.Apply.Sizes.Idle(&i)
	return i
}

// Prepare divides the files that --against names into data and signatures, and checks that the
// signatures have the scheme of this run. It must be called before AddSteps.
func (f *Near) Prepare(e *tool.Env) error {
	sign, o := f.SignStage().Options.(*recsign.Options), &f.Old
	scheme, err := sign.Scheme()
	if err != nil {
		return err
	}
	o.data, o.signatures = nil, nil
	if err := e.Reads(o.Against...); err != nil {
		return err
	}
	for _, name := range o.Against {
		found, isData, err := SchemeOf(e, name, sign.Records)
		switch {
		case err != nil:
			return err
		case isData:
			o.data = append(o.data, name)
		case found == "":
			o.signatures = append(o.signatures, name)
		case f.Evidence.Report.File != "":
			return msg.WithHint(tool.UsageError("--report needs the texts of old records, but %s has signatures", name),
				"give the old data to --against, or use --removed, which names the old records")
		case found != o.Read.Scheme(scheme):
			return msg.WithHint(fmt.Errorf("%s: the signatures have the scheme %s, but this run needs %s", name, found, o.Read.Scheme(scheme)),
				"use the same --shingle, --normalize, --slots, --seed, --field, --within and --across as for the old data, and --against-field if the text of the old data is in another field; or sign the old data again")
		default:
			o.signatures = append(o.signatures, name)
		}
	}
	return nil
}

// AddSteps adds the steps that make the decisions and the steps that write evidence. It then adds a
// step in which the given stage applies the decisions. It returns the counts of the stage that both
// compares and decides, or nil if no single stage does both.
func (f *Near) AddSteps(b *plan.Builder, data []string, last plan.Stage) (compared *tool.Counts) {
	d := f.decide(b, data)
	if name := f.Evidence.Groups; name != "" && !b.Dry {
		show := groups.Default()
		show.JSON = isObjects(name)
		b.Add(plan.Step{Stages: []plan.Stage{f.groupsOf(data, d.list, b.Output(name, false), show)}})
	}
	f.save(b, data, d.list)
	page, preset := f.Page(), DefaultNear()
	page.Scores, page.Decisions = d.scores, d.list
	args := flagset.Args(decisionOptions{f}, decisionOptions{&preset})
	chain := []plan.Stage{f.SignStage(), f.PairStage(), f.VerifyStage(nil), f.GroupStage(nil)}
	if len(f.Old.Against) > 0 {
		chain = nil // the steps are not a single chain, so the page shows no chain
	}
	f.Evidence.Report.Add(b, page, data, append([]string{"doppel fuzzy"}, args...), chain...)
	AddApplying(b, last, d.list, data)
	return d.compared
}

// decided describes the outputs of the steps that decide which records to keep.
type decided struct {
	list     string       // name of the file with the decisions
	scores   []string     // names of the files with the scored pairs; nil if no step writes them to a file
	compared *tool.Counts // counts of the stage that compares and decides; nil if two stages do this
}

func (f *Near) decide(b *plan.Builder, data []string) decided {
	switch {
	case len(f.Old.Against) > 0:
		return f.against(b, data)
	case f.Evidence.Scores != "" || f.Evidence.Report.File != "":
		return f.scored(b, data)
	}
	chain := f.Chain(data)
	var compared *tool.Counts
	if f.Fused() {
		compared = new(tool.Counts)
		chain[2] = chain[2].Counting(compared)
	}
	d := f.listed(b, chain...)
	d.compared = compared
	return d
}

// Chain returns the stages that decide which records of the data files to keep. The first stage
// signs the records, and the second makes candidate pairs.
func (f *Near) Chain(data []string) []plan.Stage {
	sign := f.SignStage().On(data...)
	if !f.Fused() {
		return []plan.Stage{sign, f.PairStage(), f.VerifyStage(data), f.GroupStage(data)}
	}
	o := jaccgroup.Default()
	f.Share(&o.Common)
	o.Records.Within = f.Records.Within
	o.Score.Text, o.Score.Split, o.Score.Data = f.Text, f.Sign.Split, data
	o.Score.Threshold, o.Decide.Rank = f.Pair.Keys.Threshold, f.Decide.Rank
	return []plan.Stage{sign, f.PairStage(), plan.Tool("jaccgroup", &o).Rereading()}
}

// Fused reports whether a single stage, jaccgroup, can compare records and decide. The components
// policy reports the lowest score of each component, so it needs all scores; --scores needs them
// too. Only dupgroup supports old records, copy counts and --keep none. With --across, two equal
// records do not always form a pair, so each pair must be decided separately, which jaccgroup does
// not do.
func (f *Near) Fused() bool {
	simple := f.Records.Across == "" && f.Decide.Policy == dupgroup.Greedy && f.Decide.Keep == dupgroup.Best && !f.Decide.Counts
	return simple && f.Evidence.Scores == "" && f.Evidence.Report.File == "" && len(f.Old.Against) == 0
}

func (f *Near) SignStage() plan.Stage {
	o := f.Sign
	f.Share(&o.Common)
	o.Records.Expect, o.Records.Within, o.Records.Across = f.Records.Expect, f.Records.Within, f.Records.Across
	return plan.Tool("recsign", &o)
}

// PairStage returns the stage that makes candidate pairs. If the user gave bands, the threshold and the
// recall stay at their defaults, because they serve only to choose bands.
func (f *Near) PairStage() plan.Stage {
	o, preset := f.Pair, lshpairs.Default()
	f.Share(&o.Common)
	o.Records, o.KeepGoing = preset.Records, false
	s := plan.Tool("lshpairs", &o)
	if f.banded() {
		o.Keys.Threshold, o.Keys.Recall = preset.Keys.Threshold, preset.Keys.Recall
	} else {
		s.Always = []string{"threshold"}
	}
	return s
}

// banded reports whether the user gave bands. Otherwise the bands are computed from the threshold
// and the recall.
func (f *Near) banded() bool { return f.Pair.Keys.Bands != lsh.Bands{} }

// VerifyStage returns the stage that computes the scores of candidate pairs from the texts of the
// records.
func (f *Near) VerifyStage(data []string) plan.Stage {
	o := jaccard.Default()
	f.Share(&o.Common)
	o.Records.Within = f.Records.Within
	o.Text, o.Split, o.Threshold, o.Data = f.Text, f.Sign.Split, f.Pair.Keys.Threshold, data
	o.Apart = f.Records.Across != ""
	return plan.Tool("jaccard", &o).Rereading()
}

// GroupStage returns the stage that makes the decisions from the scored pairs.
func (f *Near) GroupStage(data []string) plan.Stage {
	o := f.Decide
	f.Share(&o.Common)
	o.Apart = f.Records.Across != ""
	if o.Target == 0 {
		o.Cut = f.Pair.Keys.Threshold
	}
	if o.NeedsRecords() {
		o.Data, o.Records.Fields = data, nil
	} else {
		o.Records, o.KeepGoing = dupgroup.Default().Records, false
	}
	return plan.Tool("dupgroup", &o).Rereading()
}

// Applier returns the stage that applies the decisions to the records. AddSteps later sets the name
// of the file with the decisions.
func (f *Near) Applier(b *plan.Builder) plan.Stage {
	o := f.ApplyOptions()
	o.Partial = len(f.Old.Against) > 0 // the list also names old records, which are not in the input
	o.Against, o.Old = f.Old.data, f.Old.Read
	return ApplyStage(b, o)
}

// ApplyOptions returns the options with which a stage applies the decisions, in one process or in
// parts.
func (f *Near) ApplyOptions() keepdrop.Options {
	o := f.Apply
	f.Share(&o.Common)
	o.Records.ID, o.Records.WithFilename, o.Cut = f.Records.ID, f.Records.WithFilename, f.Splits()
	return o
}

// ApplyStage returns a keepdrop stage with options o and the temporary paths of its outputs. In a dry
// run, the stage writes no files. The list of decisions identifies records by ordinal; the stage
// uses other ids only in its output.
func ApplyStage(b *plan.Builder, o keepdrop.Options) plan.Stage {
	o.Ordinals = named(o.Records)
	if b.Dry {
		o.Removed = ""
	}
	if o.Removed = b.Output(o.Removed, false); o.Removed == "" {
		o.Against = nil // old records are read only to write the list of removed records
	}
	if len(o.Against) == 0 {
		o.Old = option.Old{}
	}
	o.OutputName = b.Target(o.OutputName)
	return plan.Tool("keepdrop", &o).Rereading()
}

// AddApplying adds the last step, in which stage s applies a list of decisions to the data.
func AddApplying(b *plan.Builder, s plan.Stage, list string, data []string) {
	b.Preflight(s, data)
	s.Options.(*keepdrop.Options).Decisions = list
	b.Add(plan.Step{Stages: []plan.Stage{s.On(data...)}})
}

func (f *Near) listed(b *plan.Builder, chain ...plan.Stage) decided {
	return decided{list: AddDecisions(b, f.Evidence.Decisions, chain...)}
}

// AddDecisions adds the chain that makes the decisions, and returns the path of the file with the
// decisions. The file is the output with the given name; if the name is empty, or in a dry run, it
// is a scratch file.
func AddDecisions(b *plan.Builder, name string, chain ...plan.Stage) string {
	if name == "" || b.Dry {
		list := b.Scratch("")
		b.Add(plan.Step{Stages: chain, Into: list})
		return list.Path()
	}
	last := chain[len(chain)-1].Options.SharedOptions()
	last.OutputName, last.JSON = b.Output(name, false), isObjects(name)
	b.Add(plan.Step{Stages: chain})
	return last.OutputName
}

// ListGroups lists the groups of similar records and removes no record.
func (f *Near) ListGroups(e *tool.Env, operands []string, show groups.Options) error {
	b := f.Job.Build(e)
	data := b.Reread(operands, f.Records)
	d := f.decide(b, data)
	b.Add(plan.Step{Stages: []plan.Stage{f.groupsOf(data, d.list, b.Output(show.OutputName, false), show)}})
	return f.Job.Do(b, nil)
}

// groupsOf returns the stage that reads decisions and lists the groups of similar records.
func (f *Near) groupsOf(data []string, list, output string, o groups.Options) plan.Stage {
	f.Share(&o.Common)
	o.Records.ID, o.Records.WithFilename = f.Records.ID, f.Records.WithFilename
	o.List, o.OutputName, o.Ordinals = list, output, named(o.Records)
	s := plan.Tool("doppel groups", &o).Rereading().On(data...)
	s.Preset = new(groups.Default())
	return s
}
