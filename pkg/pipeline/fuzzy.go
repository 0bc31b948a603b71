package pipeline

import (
	"cmp"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/jaccgroup"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Fuzzy removes near-duplicates from a dataset. Its options are those of its
// stages, so what it offers is passed on. The chain runs on ordinals, which
// cannot repeat; ids are looked up for what people read.
type Fuzzy struct {
	flags.Common
	Sign   recsign.Options
	Pair   lshpairs.Options
	Verify jaccard.Options
	Decide dupgroup.Options
	Group  jaccgroup.Options // Verify and Decide in one
	Apply  keepdrop.Options
	Old    Old
	Job    Job

	Evidence Evidence
}

// DefaultFuzzy removes records of similarity 0.8 or more.
func DefaultFuzzy() Fuzzy {
	return Fuzzy{
		Sign:   recsign.Default(),
		Pair:   lshpairs.Default(),
		Verify: jaccard.Default(),
		Decide: dupgroup.Default(),
		Group:  jaccgroup.Default(),
		Apply:  keepdrop.Default(),
		Job:    DefaultJob(),
	}
}

// Flags registers the flags.
func (f *Fuzzy) Flags(fs *pflag.FlagSet) {
	f.Decisions(fs)
	flagset.Offer(fs, &f.Apply, "removed", "output", "to", "codec", "level", "progress", "no-progress")
	flagset.Offer(fs, &f.Sign, "progress", "no-progress")
	flagset.Offer(fs, flags.Part{Common: &f.Common, Shared: flags.KeepGoing | flags.Watch})
	flagset.Offer(fs, &f.Decide, "keep", "counts")
	flagset.Offer(fs, &f.Sign, "split", "least")
	flagset.Offer(fs, &f.Verify, "split")
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
	flagset.Offer(fs, &f.Verify, "shingle", "normalize", "key", "mem")
	flagset.Offer(fs, &f.Sign, "shingle", "normalize", "slots", "seed", "key")
	flagset.Offer(fs, &f.Decide, "policy", "rank", "mem", "jobs", "lines", "csv", "max-record")
	flagset.Offer(fs, &f.Apply, "field", "id", "lines", "csv", "max-record", "with-filename", "jobs", "keep-going")
	flagset.Offer(fs, &f.Sign, "field", "lines", "csv", "max-record", "expect", "jobs", "keep-going")
	flagset.Offer(fs, &f.Verify, "field", "lines", "csv", "max-record", "jobs", "keep-going")
	flagset.Offer(fs, &f.Group, "mem", "field", "lines", "csv", "max-record", "jobs", "keep-going")
	flagset.Offer(fs, &f.Pair, "mem", "jobs")
	eachStage(fs)
}

// eachStage says of --mem what holds of a chain, whose stages have defaults of their own.
func eachStage(fs *pflag.FlagSet) {
	mem := fs.Lookup("mem")
	mem.Usage, mem.DefValue = "let each stage hold at most `SIZE` in memory, and spill beyond (default that of the stage)", ""
}

// Check refuses what the stages refuse.
func (f *Fuzzy) Check() error {
	verify, decide := f.Verify, f.Decide
	verify.Data = []string{stdin} // which they are is known when it runs
	decide.Data = verify.Data
	return cmp.Or(f.Sign.Check(), f.Pair.Check(), verify.Check(), decide.Check(), f.checkWhole(), f.Evidence.check(),
		f.Old.Check(), checkLists(f.Old.Save, f.Apply.Removed), f.Apply.Common.Check(), f.Job.Check())
}

// checkWhole refuses options that exclude each other.
func (f *Fuzzy) checkWhole() error {
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
	return nil
}

// splits reports whether parts of records are compared, and cut out.
func (f *Fuzzy) splits() bool { return f.Sign.Split != text.Unsplit }

// Idle returns the flags that do nothing.
func (f *Fuzzy) Idle() flags.Idle {
	i := f.Apply.Common.Idle()
	i.When(f.banded(), "with --bands or --rows", "recall")
	return i
}

// Run runs it.
func (f *Fuzzy) Run(e *tool.Env, operands []string) error {
	if f.Job.Parts > 0 {
		return f.Job.printParts(e, operands, f.parts)
	}
	data, copies, err := again(e, operands)
	if err != nil {
		return err
	}
	if err := f.prepare(e); err != nil {
		return err
	}
	data = kept(data)
	counts, verified := &scratch{}, (*scratch)(nil)
	if f.fused() {
		verified = &scratch{}
	}
	last := f.apply().with(f.Job.target(f.Apply.OutputName), counting(counts))
	p := append(copies, f.steps(data, verified, last)...)
	return f.Job.do(e, task{p, append(plain(f.Old.Against...), data...), f.Job.reporting(counts, verified)})
}

// prepare finds out what must be known before the plan is made.
func (f *Fuzzy) prepare(e *tool.Env) error {
	scheme, err := f.Sign.Scheme()
	if err != nil {
		return err
	}
	return f.Old.sort(e, scheme, f.Sign.Records)
}

// steps are the plan that decides, and the stage that applies what is decided
// when all that is known. What was compared is counted in a file, if there is one.
func (f *Fuzzy) steps(data []word, verified *scratch, last Stage) Plan {
	d := f.decided(data, verified)
	p := append(append(d.plan, f.listing(data, d.list)...), f.save(data, d.list)...)
	p = append(p, f.report(data, d)...)
	return append(p, applying(last, d.list, data))
}

// decided is the plan that decides.
func (f *Fuzzy) decided(data []word, verified *scratch) decidingPlan {
	switch {
	case len(f.Old.Against) > 0:
		return f.against(data)
	case f.Evidence.Scores != "" || f.Evidence.Report.File != "":
		return f.scoring(data)
	}
	chain := f.decide(data)
	if verified != nil {
		chain[len(chain)-1] = chain[len(chain)-1].with(counting(verified))
	}
	return f.listed(nil, chain...)
}

// decide returns the chain that decides.
func (f *Fuzzy) decide(data []word) []Stage {
	if f.fused() {
		return []Stage{f.sign(data), f.pair(), f.verifyAndDecide(data)}
	}
	return []Stage{f.sign(data), f.pair(), f.verify(data), f.group(data)}
}
