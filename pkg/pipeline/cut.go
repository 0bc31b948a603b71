package pipeline

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/tool"
)

// Cut removes near-duplicates anew by the scores of a run before: another threshold,
// policy or ranking, and nothing is signed or compared.
type Cut struct {
	tool.Common
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
	flagset.Offer(fs, &f.Evidence, "decisions")
	flagset.Offer(fs, &f.Apply, "field", "id", "lines", "csv", "max-record", "with-filename", "jobs", "keep-going",
		"removed", "output", "to", "codec", "level", "progress", "no-progress")
	flagset.Offer(fs, tool.Part{Common: &c.Common, Shared: tool.KeepGoing})
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
	data, copies, err := again(e, operands)
	if err != nil {
		return err
	}
	if err := e.Reads(append(c.Scores, operands...)...); err != nil {
		return err
	}
	f := &c.near
	d := f.listed(copies, c.decide(data)...)
	t := task{data: append(plain(c.Scores...), data...), counts: &Scratch{}}
	last := f.apply().with(f.Job.target(f.Apply.OutputName), counting(t.counts), flagged("decisions", []Word{d.list}), calls(data))
	t.plan = append(d.plan, Step{stages: []Stage{last.on(data)}})
	return f.Job.do(e, t)
}

// decide returns the chain that decides by the scores.
func (c *Cut) decide(data []Word) []Stage {
	scores := operands(c.Scores)
	c.near.Decide.Later = true
	if isParquet(c.Scores[0]) {
		return []Stage{stage("reccat", plain("--to=jsonl")).on(scores), c.near.group(data)}
	}
	return []Stage{c.near.group(data).on(scores)}
}
