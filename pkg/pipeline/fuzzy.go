package pipeline

import (
	"cmp"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/lsh"
	"doppel/pkg/plan"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/jaccgroup"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/listgroups"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Fuzzy removes near-duplicates from a dataset. What all stages share is in Common, and
// the rest of its options are those of its stages. The chain runs on ordinals, which
// cannot repeat; ids are looked up for what people read.
type Fuzzy struct {
	flags.Common
	Sign   recsign.Options
	Text   option.Text // how stages that compare make shingles: as Sign does
	Pair   lshpairs.Options
	Decide dupgroup.Options
	Apply  keepdrop.Options
	Old    Old
	Job    Job

	Evidence Evidence
}

// DefaultFuzzy removes records of similarity 0.8 or more.
func DefaultFuzzy() Fuzzy {
	return Fuzzy{
		Common: flags.OfText(),
		Sign:   recsign.Default(),
		Text:   option.DefaultText(),
		Pair:   lshpairs.Default(),
		Decide: dupgroup.Default(),
		Apply:  keepdrop.Default(),
		Job:    DefaultJob(),
	}
}

// Flags registers the flags.
func (f *Fuzzy) Flags(fs *pflag.FlagSet) {
	f.Decisions(fs)
	f.common(fs, "expect", "progress", "no-progress", "no-sync")
	flagset.Offer(fs, &f.Apply, "removed", "output", "to", "codec", "level")
	flagset.Offer(fs, &f.Decide, "keep", "counts")
	flagset.Offer(fs, &f.Sign, "split", "least")
	fs.Lookup("split").Usage = "cut out duplicate `PARTS` of records: lines, paragraphs, or wN for those of N words"
	f.Old.Flags(fs)
	f.Evidence.Flags(fs)
	f.Job.Flags(fs)
	f.Job.partFlags(fs)
}

// Decisions registers the flags that change what is decided.
func (f *Fuzzy) Decisions(fs *pflag.FlagSet) {
	flagset.Offer(fs, &f.Pair, "threshold", "recall", "bands", "rows", "hot")
	fs.Lookup("threshold").Usage = "remove records of similarity `T` or more"
	flagset.Offer(fs, &f.Text, "shingle", "normalize", "key")
	flagset.Offer(fs, &f.Sign, "shingle", "normalize", "slots", "seed", "key")
	flagset.Offer(fs, &f.Decide, "policy", "rank")
	f.common(fs, "mem", "jobs", "keep-going", "field", "id", "lines", "csv", "max-record", "with-filename")
}

// common registers shared flags, whose values all stages get.
func (f *Fuzzy) common(fs *pflag.FlagSet, names ...string) {
	all := flags.Records | flags.Memory | flags.Jobs | flags.KeepGoing | flags.Watch | flags.Sync
	flagset.Offer(fs, flags.Part{Common: &f.Common, Shared: all}, names...)
	if mem := fs.Lookup("mem"); mem != nil {
		mem.Usage, mem.DefValue = "let each stage hold at most `SIZE` in memory, and spill beyond (default that of the stage)", ""
	}
}

// share gives a stage what all stages share. Its ids are ordinals.
func (f *Fuzzy) share(c *flags.Common) {
	c.Records, c.Jobs, c.KeepGoing = f.Records, f.Jobs, f.KeepGoing
	c.Records.ID, c.Records.WithFilename, c.Records.Expect = "", false, 0
	if f.Mem > 0 && c.Mem > 0 {
		c.Mem = f.Mem
	}
}

// Check refuses options that exclude each other, and what the stages refuse.
func (f *Fuzzy) Check() error {
	switch {
	case f.Evidence.Scores != "" && len(f.Old.Against) > 0:
		return tool.UsageError("--scores and --against exclude each other: a pair does not say which of the two is old")
	case f.Evidence.Report.File != "" && len(f.Old.Against) > 0:
		return tool.UsageError("--report and --against exclude each other: the texts of old records are not at hand")
	case f.Evidence.IDs && (f.Evidence.Annotate || f.splits() || f.Apply.Removed != "" || f.Apply.To != ""):
		return tool.UsageError("--ids writes no records, so it excludes --annotate, --split, --removed and --to")
	case f.Evidence.IDs && f.Apply.NamesParquet():
		return tool.UsageError("--output %s: lines of ids are no Parquet", f.Apply.OutputName)
	case f.Evidence.Annotate && f.Apply.Removed != "":
		return tool.UsageError("--annotate removes nothing, so it excludes --removed")
	case f.splits() && (len(f.Old.Against) > 0 || f.Old.Save != "" || f.Evidence.Groups != "" || f.Evidence.Annotate):
		return tool.UsageError("--split cuts parts: --against, --save, --groups and --annotate are of whole records")
	case f.splits() && f.Decide.NeedsRecords():
		return tool.UsageError("--rank %s ranks records, and --split cuts parts", f.Decide.Rank)
	}
	operands := []string{plan.Stdin} // which they are is known when it runs
	return cmp.Or(f.sign().Options.Check(), f.Pair.Check(), f.verify(operands).Options.Check(), f.group(operands).Options.Check(), f.Evidence.check(),
		f.Old.Check(), checkLists(f.Old.Save, f.Apply.Removed), f.Apply.Common.Check(), f.Job.Check())
}

// splits reports whether parts of records are compared, and cut out.
func (f *Fuzzy) splits() bool { return f.Sign.Split != text.Unsplit }

// Idle returns the flags that do nothing.
func (f *Fuzzy) Idle() flags.Idle {
	i := f.idle()
	i.When(f.banded(), "with --bands or --rows", "recall")
	return i
}

// idle returns the shared flags that do nothing.
func (f *Fuzzy) idle() flags.Idle {
	c := f.Common
	c.OutputName, c.To, c.Codec, c.Level = f.Apply.OutputName, f.Apply.To, f.Apply.Codec, f.Apply.Level
	return c.Idle()
}

// Run runs it.
func (f *Fuzzy) Run(e *tool.Env, operands []string) error {
	if f.Job.Parts > 0 {
		return f.Job.printParts(e, operands, f.parts)
	}
	b, counts, compared := f.Job.Build(e), tool.Counts{}, (*tool.Counts)(nil)
	if sieves, err := f.sieves(e, operands); sieves || err != nil {
		b.Fail(err)
		f.sieve(b, operands, &counts)
	} else {
		data := b.Reread(operands)
		b.Fail(f.Prepare(e))
		compared = f.AddSteps(b, data, f.Applier(b).Counting(&counts))
	}
	return f.Job.Do(b, f.Job.reporting(e, &counts, compared))
}

// Prepare finds out what must be known before the plan is made.
func (f *Fuzzy) Prepare(e *tool.Env) error {
	scheme, err := f.sign().Options.(*recsign.Options).Scheme()
	if err != nil {
		return err
	}
	return f.Old.sort(e, scheme, f.sign().Options.SharedOptions().Records)
}

// AddSteps adds the steps that decide, those that keep evidence, and the stage that applies the
// decisions. It returns the counts of the stage that compares, if one stage does all of that.
func (f *Fuzzy) AddSteps(b *plan.Builder, data []string, last plan.Stage) (compared *tool.Counts) {
	d := f.decide(b, data)
	if name := f.Evidence.Groups; name != "" && !b.Dry {
		show := listgroups.Default()
		show.JSON = isObjects(name)
		b.Add(plan.Step{Stages: []plan.Stage{f.groupsOf(data, d.list, b.Output(name, false), show)}})
	}
	f.save(b, data, d.list)
	f.report(b, data, d)
	addApplying(b, last, d.list, data)
	return d.compared
}

// A decided plan is one that ends with decisions.
type decided struct {
	list     string       // the file of the decisions
	scores   []string     // the files of the scored pairs, if they are at hand
	keys     string       // the file of the commonest keys, for a report; or ""
	compared *tool.Counts // of the stage that compares and decides; or nil
}

// decide adds the steps that decide.
func (f *Fuzzy) decide(b *plan.Builder, data []string) decided {
	switch {
	case len(f.Old.Against) > 0:
		return f.against(b, data)
	case f.Evidence.Scores != "" || f.Evidence.Report.File != "":
		return f.scored(b, data)
	}
	chain := f.Chain(data)
	var compared *tool.Counts
	if f.fused() {
		compared = new(tool.Counts)
		chain[2] = chain[2].Counting(compared)
	}
	d := f.listed(b, chain...)
	d.compared = compared
	return d
}

// Chain returns the stages that decide about records of these files: the first one signs, the
// second one pairs.
func (f *Fuzzy) Chain(data []string) []plan.Stage {
	if f.fused() {
		return []plan.Stage{f.sign().On(data...), f.pair(), f.verifyAndDecide(data)}
	}
	return []plan.Stage{f.sign().On(data...), f.pair(), f.verify(data), f.group(data)}
}

// fused reports whether one stage verifies and decides. Components report the lowest
// score in each of them, so all scores are needed, as where they are kept; only dupgroup
// knows about old records, copy counts and --keep none.
func (f *Fuzzy) fused() bool {
	simple := f.Decide.Policy == dupgroup.Greedy && f.Decide.Keep == dupgroup.Best && !f.Decide.Counts
	return simple && f.Evidence.Scores == "" && f.Evidence.Report.File == "" && len(f.Old.Against) == 0
}

// sign is the stage that signs.
func (f *Fuzzy) sign() plan.Stage {
	o := f.Sign
	f.share(&o.Common)
	o.Records.Expect = f.Records.Expect
	return plan.Tool("recsign", &o)
}

// pair is the stage that pairs. It is not told what chooses bands where they are given.
func (f *Fuzzy) pair() plan.Stage {
	o, preset := f.Pair, lshpairs.Default()
	f.share(&o.Common)
	o.Records, o.KeepGoing = preset.Records, false
	s := plan.Tool("lshpairs", &o)
	if f.banded() {
		o.Keys.Threshold, o.Keys.Recall = preset.Keys.Threshold, preset.Keys.Recall
	} else {
		s.Always = []string{"threshold"}
	}
	return s
}

// banded reports whether the bands are given, which are else chosen by the threshold.
func (f *Fuzzy) banded() bool { return f.Pair.Keys.Bands != lsh.Bands{} }

// verify is the stage that scores pairs by texts.
func (f *Fuzzy) verify(data []string) plan.Stage {
	o := jaccard.Default()
	f.share(&o.Common)
	o.Text, o.Split, o.Threshold, o.Data = f.Text, f.Sign.Split, f.Pair.Keys.Threshold, data
	return plan.Tool("jaccard", &o).Rereading()
}

// group is the stage that decides by scores.
func (f *Fuzzy) group(data []string) plan.Stage {
	o := f.Decide
	f.share(&o.Common)
	if o.Cut = f.Pair.Keys.Threshold; o.NeedsRecords() {
		o.Data, o.Records.Fields = data, nil
	} else {
		o.Records, o.KeepGoing = dupgroup.Default().Records, false
	}
	return plan.Tool("dupgroup", &o).Rereading()
}

// verifyAndDecide is both in one stage.
func (f *Fuzzy) verifyAndDecide(data []string) plan.Stage {
	o := jaccgroup.Default()
	f.share(&o.Common)
	o.Score.Text, o.Score.Split, o.Score.Data = f.Text, f.Sign.Split, data
	o.Score.Threshold, o.Decide.Rank = f.Pair.Keys.Threshold, f.Decide.Rank
	return plan.Tool("jaccgroup", &o).Rereading()
}

// Applier is the stage that applies decisions, without the list of them.
func (f *Fuzzy) Applier(b *plan.Builder) plan.Stage {
	o := f.Apply
	f.share(&o.Common)
	o.Records.ID, o.Records.WithFilename = f.Records.ID, f.Records.WithFilename
	o.Partial = len(f.Old.Against) > 0 // old records are not in the input
	o.Annotate, o.OnlyIDs, o.Cut = f.Evidence.Annotate, f.Evidence.IDs, f.splits()
	return applier(b, o)
}

// applier returns keepdrop with these options and its outputs. Ids are only shown: the list
// is of ordinals.
func applier(b *plan.Builder, o keepdrop.Options) plan.Stage {
	o.Ordinals = named(o.Records)
	if b.Dry {
		o.Removed = ""
	}
	o.Removed = b.Output(o.Removed, false)
	o.OutputName = b.Target(o.OutputName)
	return plan.Tool("keepdrop", &o).Rereading()
}

// addApplying adds the last step: the stage applies a list of decisions to the data.
func addApplying(b *plan.Builder, s plan.Stage, list string, data []string) {
	b.Foresee(s, data)
	s.Options.(*keepdrop.Options).Decisions = list
	b.Add(plan.Step{Stages: []plan.Stage{s.On(data...)}})
}

// listed adds the chain that writes the decisions.
func (f *Fuzzy) listed(b *plan.Builder, chain ...plan.Stage) decided {
	return decided{list: addDecisions(b, f.Evidence.Decisions, chain...)}
}

// addDecisions adds the chain that writes decisions, to the named file if there is one,
// and returns where they are.
func addDecisions(b *plan.Builder, name string, chain ...plan.Stage) string {
	if name == "" || b.Dry {
		list := b.Scratch("")
		b.Add(plan.Step{Stages: chain, Into: list})
		return list.Path()
	}
	last := chain[len(chain)-1].Options.SharedOptions()
	last.OutputName = b.Output(name, false)
	b.Add(plan.Step{Stages: chain})
	return last.OutputName
}

// ListGroups decides, and has a last stage show the groups as its options say.
func (f *Fuzzy) ListGroups(e *tool.Env, operands []string, show listgroups.Options) error {
	b := f.Job.Build(e)
	data := b.Reread(operands)
	d := f.decide(b, data)
	b.Add(plan.Step{Stages: []plan.Stage{f.groupsOf(data, d.list, b.Output(show.OutputName, true), show)}})
	return f.Job.Do(b, nil)
}

// groupsOf returns the stage that shows the groups of a list of decisions.
func (f *Fuzzy) groupsOf(data []string, list, output string, o listgroups.Options) plan.Stage {
	f.share(&o.Common)
	o.Records.ID, o.Records.WithFilename = f.Records.ID, f.Records.WithFilename
	o.List, o.OutputName, o.Ordinals = list, output, named(o.Records)
	s := plan.Tool("doppel groups", &o).Rereading().On(data...)
	s.Preset = new(listgroups.Default())
	return s
}
