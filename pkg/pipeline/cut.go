package pipeline

import (
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Cut removes near-duplicates anew by the scores of a run before: another threshold,
// policy or ranking, and nothing is signed or compared.
type Cut struct {
	flags.Common
	Scores []string // files of scored pairs
	near   Fuzzy    // of which all behind the scores is used
}

// DefaultCut removes records of similarity 0.8 or more.
func DefaultCut() Cut { return Cut{near: DefaultFuzzy()} }

// Flags registers the flags.
func (c *Cut) Flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&c.Scores, "scores", c.Scores, "take the scored pairs from `FILE`, as doppel fuzzy --scores kept them; may be given again")
	f := &c.near
	flagset.Offer(fs, &f.Pair, "threshold")
	fs.Lookup("threshold").Usage = "remove records of similarity `T` or more"
	flagset.Offer(fs, &f.Decide, "policy", "rank", "keep", "counts", "mem", "jobs", "lines", "csv", "max-record")
	eachStage(fs)
	flagset.Offer(fs, &f.Evidence, "decisions")
	flagset.Offer(fs, &f.Apply, "field", "id", "lines", "csv", "max-record", "with-filename", "jobs", "keep-going",
		"removed", "output", "to", "codec", "level", "progress", "no-progress")
	flagset.Offer(fs, flags.Part{Common: &c.Common, Shared: flags.KeepGoing})
	f.Evidence.Report.Flags(fs)
	f.Job.Flags(fs)
}

// Check refuses what the stages refuse.
func (c *Cut) Check() error {
	parquet := 0
	for _, name := range c.Scores {
		if isParquet(name) {
			parquet++
		}
	}
	switch {
	case len(c.Scores) == 0:
		return tool.UsageError("want --scores FILE, as doppel fuzzy --scores writes it")
	case parquet > 0 && parquet < len(c.Scores):
		return tool.UsageError("--scores: both Parquet files and others: give those of one kind")
	}
	return c.near.Check()
}

// Run runs it.
func (c *Cut) Run(e *tool.Env, operands []string) error {
	data, plan, err := again(e, operands)
	if err != nil {
		return err
	}
	if err := e.Reads(c.Scores...); err != nil {
		return err
	}
	scores, reading := c.scored()
	f := &c.near
	d := f.listed(append(plan, reading...), c.decide(data, scores)...)
	counts := &scratch{}
	last := f.apply().with(told(f.Apply.KeepGoing && f.Decide.NeedsRecords()), c.ahead(), f.Job.target(f.Apply.OutputName), counting(counts))
	p := append(append(d.plan, c.report(data, scores, d.list)...), applying(last, d.list, data))
	return f.Job.do(e, task{p, append(plain(c.Scores...), data...), f.Job.reporting(counts, nil)})
}

// ahead makes the word by which scores of other records are refused before any record
// is written to a stream. A file is put in its place at the end.
func (c *Cut) ahead() []word {
	if name := c.near.Apply.OutputName; name != "" && !once(name) {
		return nil
	}
	return []word{{text: "--ahead", silent: true}}
}

// scored returns the words of the scores, and the steps that copy them: a report reads
// them once more, and as text.
func (c *Cut) scored() ([]word, Plan) {
	if c.near.Evidence.Report.File == "" {
		return operands(c.Scores), nil
	}
	held := &scratch{}
	copying := stage("cat").on(operands(c.Scores))
	if isParquet(c.Scores[0]) {
		copying = c.fromParquet(operands(c.Scores))
	} else if !slices.ContainsFunc(c.Scores, once) {
		return operands(c.Scores), nil
	}
	return []word{{scratch: held}}, Plan{{stages: []Stage{copying}, into: held}}
}

func (c *Cut) fromParquet(scores []word) Stage {
	return stage("reccat", plain("--to=jsonl")).on(scores)
}

// decide returns the chain that decides by the scores.
func (c *Cut) decide(data, scores []word) []Stage {
	if isParquet(c.Scores[0]) && scores[0].scratch == nil {
		return []Stage{c.fromParquet(scores), c.group(data)}
	}
	return []Stage{c.group(data).on(scores)}
}

// group returns dupgroup, which notes if the scores end above the threshold.
func (c *Cut) group(data []word) Stage {
	return c.near.group(data).with([]word{{text: "--later", silent: true}})
}

// report returns the step that reports.
func (c *Cut) report(data, scores, list []word) Plan {
	f, o, preset := &c.near, c.near.page(), DefaultCut()
	o.Command = commandLine("doppel cut", flagset.Args(cutOptions{c}, cutOptions{&preset}), data)
	o.Chain = chainOf(f.group(nil))
	return f.Evidence.Report.step(o, data, told(o.KeepGoing), flagged("scores", scores), flagged("decisions", list))
}

// cutOptions are the options that change what is decided anew.
type cutOptions struct{ *Cut }

// Flags registers them.
func (r cutOptions) Flags(fs *pflag.FlagSet) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	r.Cut.Flags(all)
	for _, name := range []string{"scores", "threshold", "policy", "rank", "keep", "field", "id", "lines", "csv", "max-record", "with-filename"} {
		fs.AddFlag(all.Lookup(name))
	}
}
