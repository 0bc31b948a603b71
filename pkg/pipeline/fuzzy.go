package pipeline

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/lsh"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/jaccgroup"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
)

// Fuzzy removes near-duplicates from a dataset. Its options are those of its
// stages, so what it offers is passed on. The chain runs on ordinals, which
// cannot repeat; ids are looked up for what people read.
type Fuzzy struct {
	tool.Common
	Sign   recsign.Options
	Pair   lshpairs.Options
	Verify jaccard.Options
	Decide dupgroup.Options
	Group  jaccgroup.Options // Verify and Decide in one
	Apply  keepdrop.Options
	Job    Job
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
	flagset.Offer(fs, tool.Part{Common: &f.Common, Shared: tool.KeepGoing | tool.Watch})
	f.Job.Flags(fs)
}

// Decisions registers the flags that change what is decided.
func (f *Fuzzy) Decisions(fs *pflag.FlagSet) {
	flagset.Offer(fs, &f.Pair, "threshold", "recall", "bands", "rows", "hot")
	fs.Lookup("threshold").Usage = "remove records of similarity `T` or more"
	flagset.Offer(fs, &f.Verify, "shingle", "normalize", "key", "mem")
	flagset.Offer(fs, &f.Sign, "shingle", "normalize", "slots", "seed", "key")
	flagset.Offer(fs, &f.Decide, "policy", "rank", "mem", "jobs", "lines", "csv", "max-record")
	flagset.Offer(fs, &f.Apply, "field", "id", "lines", "csv", "max-record", "with-filename", "jobs", "keep-going")
	flagset.Offer(fs, &f.Sign, "field", "lines", "csv", "max-record", "jobs", "keep-going")
	flagset.Offer(fs, &f.Verify, "field", "lines", "csv", "max-record", "jobs", "keep-going")
	flagset.Offer(fs, &f.Group, "mem", "field", "lines", "csv", "max-record", "jobs", "keep-going")
	flagset.Offer(fs, &f.Pair, "mem", "jobs")
}

// Check refuses what the stages refuse.
func (f *Fuzzy) Check() error {
	verify, decide := f.Verify, f.Decide
	verify.Data = []string{stdin} // which they are is known when it runs
	decide.Data = verify.Data
	for _, o := range []tool.Options{&f.Sign, &f.Pair, &verify, &decide} {
		if err := o.Check(); err != nil {
			return err
		}
	}
	return f.Job.Check()
}

// Idle returns the flags that do nothing.
func (f *Fuzzy) Idle() tool.Idle {
	i := f.Apply.Common.Idle()
	i.When(f.banded(), "with --bands or --rows", "recall")
	return i
}

// Run runs it.
func (f *Fuzzy) Run(e *tool.Env, operands []string) error {
	data, copies, err := again(e, operands)
	if err != nil {
		return err
	}
	t := task{data: data, counts: &Scratch{}}
	if f.fused() {
		t.verified = &Scratch{}
	}
	last := f.apply().with(f.Job.target(f.Apply.OutputName), counting(t.counts))
	t.plan = append(copies, f.steps(data, t.verified, last)...)
	return f.Job.do(e, t)
}

// steps are the chain that decides, and the stage that applies what is decided
// when all that is known. What was compared is counted in a file, if there is one.
func (f *Fuzzy) steps(data []Word, verified *Scratch, last Stage) Plan {
	decisions, chain := &Scratch{}, f.decide(data)
	if verified != nil {
		chain[len(chain)-1] = chain[len(chain)-1].with(counting(verified))
	}
	return Plan{
		{stages: chain, into: decisions},
		{stages: []Stage{last.with(from("decisions", decisions), calls(data)).on(data)}},
	}
}

// decide returns the chain that decides.
func (f *Fuzzy) decide(data []Word) []Stage {
	if f.fused() {
		return []Stage{f.sign(data), f.pair(), f.verifyAndDecide(data)}
	}
	return []Stage{f.sign(data), f.pair(), f.verify(data), f.group(data)}
}

// fused reports whether one stage verifies and decides. Components tell the lowest
// score in each of them, so all scores are needed.
func (f *Fuzzy) fused() bool { return f.Decide.Policy == dupgroup.Greedy }

func (f *Fuzzy) verifyAndDecide(data []Word) Stage {
	o := f.Group
	o.Score.Text, o.Score.Threshold, o.Decide.Rank = f.Verify.Text, f.Pair.Keys.Threshold, f.Decide.Rank
	return stage("jaccgroup", plain(o.Args()...), f.told(), calls(data), flagged("records", data))
}

func (f *Fuzzy) sign(data []Word) Stage {
	return stage("recsign", plain(f.Sign.Args()...), calls(data)).on(data)
}

func (f *Fuzzy) pair() Stage { return f.pairBy(f.Pair) }

// pairBy is the stage that pairs. It is not told what chooses bands where they are
// given.
func (f *Fuzzy) pairBy(o lshpairs.Options) Stage {
	preset, always := lshpairs.Default(), []string{"threshold"}
	if f.banded() {
		o.Keys.Threshold, o.Keys.Recall, always = preset.Keys.Threshold, preset.Keys.Recall, nil
	}
	return stage("lshpairs", plain(flagset.Args(&o, &preset, always...)...))
}

// banded reports whether the bands are given, which are else chosen by the threshold.
func (f *Fuzzy) banded() bool { return f.Pair.Keys.Bands != lsh.Bands{} }

func (f *Fuzzy) verify(data []Word) Stage {
	o := f.Verify
	o.Threshold = f.Pair.Keys.Threshold
	return stage("jaccard", plain(o.Args()...), f.told(), calls(data), flagged("records", data))
}

func (f *Fuzzy) group(data []Word) Stage {
	o := f.Decide
	o.Cut = f.Pair.Keys.Threshold
	if o.NeedsRecords() {
		return stage("dupgroup", plain(o.Args()...), f.told(), calls(data), flagged("records", data))
	}
	o.Records = dupgroup.Default().Records
	return stage("dupgroup", plain(o.Args()...))
}

// apply returns keepdrop, without what it reads and where its output goes. Ids
// are only shown: the list is of ordinals.
func (f *Fuzzy) apply() Stage {
	o := f.Apply
	o.Ordinals = o.Records.ID != "" || o.Records.WithFilename
	removed := o.Removed
	o.OutputName, o.Removed = "", ""
	if f.Job.dry() {
		removed = ""
	}
	return stage("keepdrop", plain(o.Args()...), f.told(), into("removed", removed))
}

// told makes the word that tells a stage that the first one reports bad records.
func (f *Fuzzy) told() []Word {
	if !f.Sign.KeepGoing {
		return nil
	}
	return []Word{{text: "--told", silent: true}}
}
