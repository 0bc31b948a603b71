// Package cut implements doppel cut, which removes near-duplicates again, using the scores of an
// earlier run.
//
// See man/doppel-cut.1.
package cut

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/dedup"
	"doppel/pkg/flagset"
	"doppel/pkg/plan"
	"doppel/pkg/record"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/reccat"
	"doppel/pkg/tool"
	"doppel/pkg/tool/describe"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel cut, which removes near-duplicates, using the scored pairs of an earlier run. It does not sign or
// compare records. The threshold, the policy and the ranking can differ from those of the earlier
// run.
type Options struct {
	Of     string     // name of the manifest of the earlier run; "" for none
	Scores []string   // names of the files with the scored pairs
	near   dedup.Near // options of all stages; doppel cut uses only the options of the stages after scoring
}

// SharedOptions returns the options that all stages share.
func (c *Options) SharedOptions() *flags.Common { return &c.near.Common }

func (c *Options) Idle() flags.Idle {
	i := c.near.IdleShared()
	i.When(c.near.Decide.Target > 0, "with --target", "threshold")
	return i
}

// Default returns options that remove records whose similarity to a kept record is at least 0.8.
func Default() Options { return Options{near: dedup.DefaultNear()} }

func (c *Options) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&c.Of, "run", c.Of, "take scores, operands and options from `FILE`; FILE is the manifest of the earlier run")
	fs.StringArrayVar(&c.Scores, "scores", c.Scores, "read the scored pairs from `FILE`; doppel fuzzy --scores writes it; may be repeated")
	f := &c.near
	flagset.Offer(fs, &f.Pair, "threshold")
	fs.Lookup("threshold").Usage = "remove records `T` or more similar, 0 to 1 (default 0.8); T is more than 0"
	flagset.Offer(fs, &f.Decide, "target", "policy", "rank", "keep", "counts")
	f.CommonFlags(fs, append([]string{"mem", "jobs", "keep-going", "field", "missing", "id", "lines", "max-record", "with-filename", "progress", "no-progress", "no-sync"}, flags.DialectFlags...)...)
	flagset.Offer(fs, &f.Evidence, "decisions")
	f.ResultFlags(fs)
	f.Evidence.Report.Flags(fs)
	f.Job.Flags(fs)
	flagset.Assign(fs, flagset.Input, "run", "scores")
}

// Essential returns the flags that -h shows.
func (c *Options) Essential() []string {
	return []string{"run", "scores", "threshold", "target", "policy", "rank", "keep", "output", "dry-run", "removed", "decisions", "report"}
}

// Follow takes the options of the earlier run from the manifest of --run. Options that decide can differ
// from those of that run.
func (c *Options) Follow(fs *pflag.FlagSet, operands []string) ([]string, error) {
	if c.Of == "" {
		return operands, nil
	}
	if c.near.Apply.OutputName == c.Of {
		return nil, tool.UsageError("-o %s: also the manifest of --run", c.Of)
	}
	m, err := describe.OpenUnchanged(c.Of, "scores")
	if err != nil {
		return nil, err
	}
	if _, given := m.Values("scores"); !given {
		return nil, tool.UsageError("--run %s: the run wrote no scores: want a run of doppel fuzzy --scores", c.Of)
	}
	decides := []string{"threshold", "policy", "rank", "keep"}
	reads := append([]string{"scores", "field", "missing", "id", "lines", "max-record", "with-filename"}, flags.DialectFlags...)
	if err := describe.TakeOptions(fs, c.Of, m, append(reads, decides...), decides); err != nil {
		return nil, err
	}
	return describe.SameOperands(operands, c.Of, m)
}

func (c *Options) Check() error {
	parquet := 0
	for _, name := range c.Scores {
		if dedup.IsParquet(name) {
			parquet++
		}
	}
	switch {
	case len(c.Scores) == 0:
		return tool.UsageError("want --run MANIFEST of a run of doppel fuzzy --scores, or --scores FILE with the scored pairs that it wrote")
	case parquet > 0 && parquet < len(c.Scores):
		return tool.UsageError("--scores: both Parquet and other files: all files must have the same format")
	case c.near.Decide.Target < 0:
		return tool.UsageError("--target %d: want 1 or more", c.near.Decide.Target)
	case c.near.Decide.Target > 0 && c.near.Evidence.Report.File != "":
		return tool.UsageError("--report and --target cannot be used together: the report needs a known threshold")
	}
	return c.near.Check()
}

func (c *Options) Run(e *tool.Env, operands []string) error {
	f := &c.near
	b := f.Job.Build(e)
	data := b.Reread(operands, f.Records)
	b.Fail(e.Reads(append(slices.Clone(c.Scores), c.Of)...))
	scores := c.Scores
	group := f.GroupStage(data)
	group.Reported = false
	// Warn if all scores are above the threshold, because pairs may then be missing.
	group.Options.(*dupgroup.Options).Later = true
	chain, name := []plan.Stage{group}, strings.Join(c.Scores, ", ")
	switch report, parquet := f.Evidence.Report.File != "", dedup.IsParquet(c.Scores[0]); {
	case parquet && report: // convert the scores to text first, because the report also reads them
		held := b.Scratch(name)
		b.Add(plan.Step{Stages: []plan.Stage{c.fromParquet()}, Into: held})
		scores = []string{held.Path()}
	case parquet:
		chain = []plan.Stage{c.fromParquet(), group}
		if b.Print == plan.None {
			group.Options.SharedOptions().StdinName = name
		}
		scores = nil
	case report:
		scores = b.Reread(c.Scores, record.Options{Lines: true})
	default:
		b.Data = append(b.Data, c.Scores...)
	}
	chain[len(chain)-1] = group.On(scores...)
	list := dedup.AddDecisions(b, f.Evidence.Decisions, chain...)
	page, preset := f.Page(), Default()
	page.Scores, page.Decisions = scores, list
	args := flagset.ArgsOf(c, &preset, append([]string{"scores", "threshold", "policy", "rank", "keep", "field", "missing", "id", "lines", "max-record", "with-filename"}, flags.DialectFlags...)...)
	f.Evidence.Report.Add(b, page, data, append([]string{"doppel cut"}, args...), f.GroupStage(nil))
	var counts tool.Counts
	last := f.Applier(b).Counting(&counts)
	last.Reported = f.Decide.NeedsRecords()
	o := last.Options.(*keepdrop.Options)
	// Check the list before writing to standard output or a pipe; a file needs no check, because it
	// appears only after a successful run.
	o.Ahead = f.Apply.OutputName == "" || plan.ReadsOnce(f.Apply.OutputName)
	dedup.AddApplying(b, last, list, data)
	return f.Job.Do(b, f.Job.Reporting(e, &counts, nil))
}

// fromParquet returns the stage that converts the Parquet files of scored pairs to JSON lines.
func (c *Options) fromParquet() plan.Stage {
	o := reccat.Default()
	o.To = "jsonl"
	return plan.Tool("reccat", &o).On(c.Scores...)
}
