package pipeline

import (
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/record"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/tool"
)

// Job says how a chain is run that makes a dataset of a dataset.
type Job struct {
	Parts   int    // parts of what is printed as make, parallel or json has it; 0: none
	Print   form   // how the chain is printed, and nothing runs; "": it runs
	DryRun  bool   // nothing is written but statistics
	Verbose bool   // each chain is shown as it starts
	Stats   string // the form of the statistics: text, json or none
}

// DefaultJob runs the chain and tells how many records there were.
func DefaultJob() Job { return Job{Stats: "text"} }

// Flags registers the flags.
func (j *Job) Flags(fs *pflag.FlagSet) {
	j.Print.flag(fs)
	fs.BoolVar(&j.DryRun, "dry-run", j.DryRun, "count, but write nothing")
	fs.BoolVarP(&j.Verbose, "verbose", "v", j.Verbose, "show each chain on standard error as it starts")
	fs.StringVar(&j.Stats, "stats", j.Stats, "report at the end on standard error as `FORM`: text, json or none")
}

// partFlags registers the flags of a chain that can be printed in parts.
func (j *Job) partFlags(fs *pflag.FlagSet) {
	fs.IntVar(&j.Parts, "parts", j.Parts, "with --print=make, parallel or json: shards in `N` parts, for many machines")
}

// printParts prints the chain over some shards in parts.
func (j *Job) printParts(e *tool.Env, shards []string, inParts func([]string) (*Parts, error)) error {
	p, err := inParts(shards)
	if err != nil {
		return err
	}
	return p.print(e.Out, j.Print)
}

// Check refuses a form that there is none of.
func (j *Job) Check() error {
	switch {
	case j.Parts < 0 || j.Parts > 1000:
		return tool.UsageError("--parts %d: want 1 to 1000", j.Parts)
	case j.Parts > 0 && !j.Print.inParts() && j.Print != jsonForm:
		return tool.UsageError("--parts goes with --print=make, parallel or json")
	case j.Parts == 0 && j.Print.inParts():
		return tool.UsageError("--print=%s needs --parts, which doppel fuzzy, exact and passages have", j.Print)
	case j.Stats != "text" && j.Stats != "json" && j.Stats != "none":
		return tool.UsageError("--stats %q: want text, json or none", j.Stats)
	}
	return nil
}

// A task is a plan, and what is told when it has run.
type task struct {
	plan   Plan
	data   []word                          // what is read more than once, and must not change
	report func(*run, time.Duration) error // nil: nothing is told
}

// do prints the plan of a task, or runs it and reports.
func (j *Job) do(e *tool.Env, t task) error {
	if j.Print != "" {
		return j.Print.print(e, t.plan)
	}
	before, err := identities(t.data)
	if err != nil {
		return err
	}
	start, r := time.Now(), newRun(e, j.Verbose)
	if err := r.plan(t.plan, e.Stdout); err != nil {
		return err
	}
	if err := unchanged(before); err != nil || t.report == nil {
		return err
	}
	return t.report(r, time.Since(start))
}

// dry reports whether the chain runs and writes nothing.
func (j *Job) dry() bool { return j.DryRun && j.Print == "" }

// target returns the words by which the last stage writes its output: to the
// named file, or nowhere in a dry run.
func (j *Job) target(name string) []word {
	if j.dry() {
		return plain("--output=/dev/null")
	}
	return into("output", name)
}

// counting returns the words by which a stage writes its counts.
func counting(s *scratch) []word {
	return []word{{text: "--stats=", scratch: s, silent: true}}
}

// apply returns keepdrop as its options say, without what it reads and where its output
// goes. Ids are only shown: the list is of ordinals.
func (j *Job) apply(o keepdrop.Options, words ...[]word) Stage {
	o.Ordinals = named(o.Records)
	removed := o.Removed
	o.OutputName, o.Removed = "", ""
	if j.dry() {
		removed = ""
	}
	return stage("keepdrop", plain(o.Args()...)).with(words...).with(into("removed", removed))
}

// named reports whether records have ids that are not their ordinals.
func named(r record.Options) bool { return r.ID != "" || r.WithFilename }

// applying returns the last step: the stage applies a list of decisions to the data.
func applying(s Stage, list, data []word) step {
	return step{stages: []Stage{s.with(flagged("decisions", list), laterReader(data)).on(data)}}
}
