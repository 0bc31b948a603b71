package dedup

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	_ "doppel/pkg/manifest/checksum"
	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/plan/parts"
	"doppel/pkg/record"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
	"doppel/pkg/tool/version"
)

// Job holds the options for running or printing the chain of a command.
type Job struct {
	Parts   int          // number of parts in a printed chain; 0 if the chain is not split
	Batch   flagset.Size // maximum total size of the shards that one task of a makefile reads
	Print   plan.Syntax  // the syntax in which to print the chain; empty to run it instead
	DryRun  bool         // run the chain, but write only statistics and the report
	Verbose bool         // print the command of each chain when the chain starts
	Stats   string       // format of the statistics: text, json or none
}

// DefaultJob returns a Job that runs the chain and prints statistics.
func DefaultJob() Job { return Job{Stats: "text", Batch: 64 << 20} }

func (j *Job) Flags(fs *pflag.FlagSet) {
	j.Print.Flag(fs)
	fs.BoolVar(&j.DryRun, "dry-run", j.DryRun, "count, but write nothing")
	fs.BoolVarP(&j.Verbose, "verbose", "v", j.Verbose, "print each command on standard error as it starts")
	fs.StringVar(&j.Stats, "stats", j.Stats, "report the counts as `FORM`: text (default), json or none; at the end, on standard error")
	flagset.Assign(fs, flagset.Output, "dry-run")
	flagset.Assign(fs, flagset.Resources, "verbose", "stats")
}

// PartFlags registers the flags for printing a chain in parts.
func (j *Job) PartFlags(fs *pflag.FlagSet) {
	fs.IntVar(&j.Parts, "parts", j.Parts, "with --print=make, parallel or json: split the work into `N` parts (default: one chain), for many machines")
	fs.Var(&j.Batch, "batch", "with --print=make: give each task shards of up to `SIZE` in total")
	flags.MarkWritten(fs, "parts")
	flagset.Assign(fs, flagset.Machines, "parts", "batch")
	flagset.AtLeast(fs, 1, "parts")
}

// IdleShared adds to i the flags that have no effect in this job.
func (j *Job) Idle(i *flags.Idle) {
	i.When(!j.Print.InParts(), "without --print=make or parallel", "batch")
}

// Results returns the shared options c, with the directory that holds the results of a run in parts.
func (j *Job) Results(c flags.Common) flags.Common {
	if j.Print.InParts() && c.OutputName == "" {
		c.OutputName = "kept/"
	}
	return c
}

// PrintParts prints the plan of a run in parts. The function inParts makes the plan for the given
// shards. If tree is set, the results keep the paths of the shards.
func (j *Job) PrintParts(e *tool.Env, shards []string, tree bool, inParts func([]string) (*parts.Plan, error)) error {
	shards, err := ShardFiles(shards)
	if err == nil && j.Print != plan.JSON {
		shards, err = parts.CleanShards(shards, tree)
	} else if err == nil && e.NoSync {
		err = tool.UsageError("--no-sync does nothing with --print=json --parts")
	}
	if err != nil {
		return err
	}
	p, err := inParts(shards)
	if err != nil {
		return err
	}
	for _, name := range shards {
		if err := p.Apply.Options.SharedOptions().CheckResult(name); err != nil {
			return err
		}
	}
	p.Batch, p.Tree = int64(j.Batch), tree
	return PrintParts(e, p, j.Print)
}

// ShardFiles returns the shards that the operands name: files, and the data files below directories.
func ShardFiles(operands []string) (shards []string, err error) {
	for _, name := range operands {
		files, err := record.FilesOf(name)
		if err != nil {
			return nil, err
		}
		shards = append(shards, files...)
	}
	return shards, nil
}

// PrintParts prints the plan of a run in parts to e.Out.
func PrintParts(e *tool.Env, p *parts.Plan, syntax plan.Syntax) error {
	p.NoSync, p.Version, p.Manifest = e.NoSync, version.Named(), e.Manifest
	p.Describe, _ = e.Describing()
	return p.Print(e.Out, syntax)
}

// Check rejects unknown values, and options that cannot be used together.
func (j *Job) Check() error {
	switch {
	case j.Parts < 0 || j.Parts > 1000:
		return tool.UsageError("--parts %d: want 1 to 1000", j.Parts)
	case j.Parts > 0 && !j.Print.InParts() && j.Print != plan.JSON:
		return tool.UsageError("--parts needs --print=make, parallel or json")
	case j.Parts == 0 && j.Print.InParts():
		return tool.UsageError("--print=%s needs --parts, a flag of doppel fuzzy, exact and passages", j.Print)
	case j.Stats != "text" && j.Stats != "json" && j.Stats != "none":
		return tool.UsageError("--stats %q: want text, json or none", j.Stats)
	}
	return nil
}

// Dry reports whether the chain runs but writes no data.
func (j *Job) Dry() bool { return j.DryRun && j.Print == "" }

// Build returns an empty builder for the job's plan.
func (j *Job) Build(e *tool.Env) *plan.Builder {
	return &plan.Builder{Env: e, Print: j.Print, Dry: j.Dry(), Verbose: j.Verbose}
}

// Do prints the plan of b, or runs it. If report is not nil, Do calls it after a successful run.
func (j *Job) Do(b *plan.Builder, report func(took time.Duration) error) error {
	start := time.Now()
	if command, operands := b.Env.Describing(); command != nil && j.Print == plan.Shell {
		command = append(command, "--manifest="+b.Env.Manifest, "--")
		b.Add(plan.Step{Stages: []plan.Stage{plan.Tool(command[0], &plan.System{Args: append(command[1:], operands...)})}})
	}
	if err := b.Do(b.Env.Stdout); err != nil || report == nil || j.Print != plan.None {
		return err
	}
	return report(time.Since(start))
}

// named reports whether r selects record ids other than ordinals.
func named(r record.Options) bool { return r.ID != "" || r.WithFilename }

// stats holds the statistics printed at the end of a job.
type stats struct {
	Records     int64   `json:"records"`
	Kept        int64   `json:"kept"`
	Duplicates  int64   `json:"duplicates"`
	Cut         int64   `json:"cut,omitempty"` // number of kept records from which parts were cut
	*tool.Pairs         // nil if no stage counts pairs
	Seconds     float64 `json:"seconds"`
	Rate        float64 `json:"records_per_second"`
	MaxRSS      int64   `json:"peak_memory_bytes"`
}

// Reporting returns a function that prints the statistics of a run, given the counts of the last
// stage and, unless compared is nil, of the stage that both compares records and decides.
func (j *Job) Reporting(e *tool.Env, last, compared *tool.Counts) func(time.Duration) error {
	return func(took time.Duration) error {
		s := stats{
			Records: last.Read(), Kept: last.Kept, Duplicates: last.Dropped, Cut: last.Cut,
			Seconds: took.Seconds(), Rate: float64(last.Read()) / took.Seconds(), MaxRSS: tool.PeakMemory(),
		}
		if compared != nil {
			s.Pairs = compared.Pairs
		}
		return j.Report(e, s, func() {
			cut := ""
			if s.Cut > 0 {
				cut = fmt.Sprintf(", %d of them cut", s.Cut)
			}
			e.Note("%s, %s, %d kept%s; %.2f s, %.0f records/s, %.0f MB at the peak",
				msg.Number(s.Records, "record"), msg.Number(s.Duplicates, "duplicate"), s.Kept, cut, s.Seconds, s.Rate, float64(s.MaxRSS)/1e6)
			if j.Verbose && compared != nil {
				e.Note("%s, %d verified", msg.Number(s.Candidates, "candidate"), s.Verified)
			}
		})
	}
}

// Report writes statistics to standard error in the format that Stats names. It calls asText if the
// format is "text".
func (j *Job) Report(e *tool.Env, statistics any, asText func()) error {
	e.Statistics = statistics
	switch j.Stats {
	case "json":
		enc := json.NewEncoder(e.Stderr)
		enc.SetEscapeHTML(false) // keep < and >, because reasons such as score>=0.8 contain them
		return enc.Encode(statistics)
	case "text":
		asText()
	}
	return nil
}
