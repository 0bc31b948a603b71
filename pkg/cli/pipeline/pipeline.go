// Package pipeline implements doppel pipeline and doppel filter, which run the steps that a file
// describes. Package config reads the file.
//
// See man/doppel-pipeline.1.
package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/cli/pipeline/config"
	"doppel/pkg/dedup"
	"doppel/pkg/flagset"
	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/record/dataform"
	"doppel/pkg/stage/recfilter"
	"doppel/pkg/stage/recuniq"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options holds the options of doppel pipeline and doppel filter. Run removes exact duplicates,
// then records that the filters reject, then near-duplicates, as the file named by --config
// describes.
type Options struct {
	flags.Common
	Config      string       // name of the file that describes the steps
	Output      string       // path of the output; overrides the path in the Config file
	FiltersOnly bool         // only filters are allowed, and the file is optional
	Report      dedup.Report // report on the filters; allowed only if all steps are filters
	Job         dedup.Job
}

func (p *Options) Flags(fs *pflag.FlagSet) {
	fs.StringVarP(&p.Config, "config", "c", p.Config, "run the steps that `FILE` describes, in YAML or TOML")
	p.Job.Flags(fs)
	if p.FiltersOnly {
		p.Report.Flags(fs)
	}
	fs.StringVarP(&p.Output, "output", "o", p.Output, "write to `FILE` in the format of its suffix, or to DIR/; without -o, to the output that the description names, or standard output; in DIR/, each input has its own output; outputs are complete or not written at all")
	flags.MarkWritten(fs, "config")
	flags.MarkRead(fs, "config")
	flags.MarkStream(fs, "output")
	fs.BoolVar(&p.Tree, "tree", p.Tree, "with -o DIR/: keep the paths of the inputs below DIR; without it, only their names")
	p.Common.Flags(fs, flags.Inputs|flags.Jobs|flags.KeepGoing|flags.Watch|flags.Sync|flags.Manifest)
	flagset.Assign(fs, flagset.Input, "config")
	flagset.Assign(fs, flagset.Output, "output", "tree")
}

// Essential returns the flags that -h shows.
func (p *Options) Essential() []string {
	names := []string{"config", "csv", "encoding", "keep-going", "output", "tree", "dry-run", "print", "stats", "verbose", "jobs"}
	if p.FiltersOnly {
		names = append(names, "report")
	}
	return names
}

// Check returns an error if doppel pipeline is run without --config; doppel filter has default
// rules and needs no --config. Check also checks the options of the report and of the job.
func (p *Options) Check() error {
	if p.Config == "" && !p.FiltersOnly {
		return tool.UsageError("--config FILE is required; FILE must describe the pipeline")
	}
	return cmp.Or(p.Report.Check(), p.Job.Check())
}

func (p *Options) Idle() flags.Idle {
	c := p.Common
	c.OutputName = p.Output
	return c.Idle()
}

// Names returns the operands and the output, which the file that --config names may give instead.
func (p *Options) Names(operands []string) (inputs, outputs []string, err error) {
	d, err := p.read()
	if err != nil {
		return nil, nil, err
	}
	if len(operands) == 0 && d.input != "" {
		operands = []string{d.input}
	}
	return operands, []string{cmp.Or(p.Output, d.output)}, nil
}

func (p *Options) Run(e *tool.Env, operands []string) error {
	d, err := p.read()
	if err != nil {
		return err
	}
	if len(operands) == 0 && d.input != "" {
		operands = []string{d.input}
	}
	if err := e.Reads(operands...); err != nil {
		return err
	}
	d.inherit(&p.Common, operands)
	if p.Output != "" {
		d.output = p.Output
	}
	if p.NoSync && d.output == "" && p.Report.File == "" {
		return tool.UsageError("--no-sync does nothing without an output file, such as -o FILE")
	}
	if d.form == "" {
		if err := dataform.CheckOutput(d.output); err != nil {
			return err
		}
	}
	c := flags.Common{Destination: flags.Destination{OutputName: d.output, Tree: p.Tree, To: d.form}}
	if stages := len((&sections{description: d}).front()); c.Directory() && (stages > 1 || stages == 1 && d.fuzzy) {
		return msg.WithHint(tool.UsageError("-o %s: a directory needs a single step, because later steps do not read the inputs", d.output), "write one output: -o FILE")
	}
	b := p.Job.Build(e)
	if !b.Dry {
		b.Fail(e.ReserveShards(&c, operands, b.Print != plan.None))
	}
	s := &sections{Builder: b, description: d}
	if p.Report.File == "" {
		s.plan(operands)
	} else if err := p.reporting(s, operands); err != nil {
		return err
	}
	return p.Job.Do(b, func(took time.Duration) error { return s.report(&p.Job, took) })
}

// read reads and parses the file that --config names. Without --config, it returns the filters of
// the preset "default".
func (p *Options) read() (*description, error) {
	d := &description{unique: recuniq.Default(), near: dedup.DefaultNear(), languageFilter: recfilter.Default(), qualityFilter: recfilter.Default()}
	d.languageFilter.Language.Languages = []string{"eng"}
	d.qualityFilter.Quality.Presets = []string{"default"}
	d.languageFilter.Apply, d.qualityFilter.Apply = true, true
	if p.Config == "" {
		d.quality = true
		return d, nil
	}
	data, err := os.ReadFile(p.Config)
	if err != nil {
		return nil, err
	}
	err = d.parse(p.Config, data)
	var wrong *config.Error
	switch {
	case errors.As(err, &wrong) && wrong.Hint != "":
		return nil, msg.WithHint(err, "%s", wrong.Hint)
	case err == nil && p.FiltersOnly && (d.exact || d.fuzzy):
		err = msg.WithHint(tool.UsageError("%s: has steps other than filters", p.Config), "run doppel pipeline")
	}
	return d, err
}

// sections turns a description into a plan. The first stages remove exact duplicates and apply the
// filters. The steps for near-duplicates then decide on all records that are left, and apply the
// decisions.
type sections struct {
	*plan.Builder
	*description
	names  []string       // names of the counted stages
	counts []*tool.Counts // counts of these stages
}

// counted returns the stage with counters for its records. The statistics show the counts under the
// given name.
func (s *sections) counted(name string, st plan.Stage) plan.Stage {
	c := new(tool.Counts)
	s.names, s.counts = append(s.names, name), append(s.counts, c)
	return st.Counting(c)
}

// plan adds the steps that process the inputs.
func (s *sections) plan(operands []string) {
	front := s.front()
	if len(front) > 0 {
		front[0].Operands = operands
	}
	if !s.fuzzy {
		s.write(front[len(front)-1])
		s.Add(plan.Step{Stdin: true, Stages: front})
		return
	}
	s.Fail(s.near.Prepare(s.Env))
	var data []string
	if len(front) == 0 {
		data = s.Reread(operands, *s.firstReader())
	} else {
		left := s.Scratch("filtered records")
		s.Add(plan.Step{Stdin: true, Stages: front, Into: left})
		data = []string{left.Path()}
	}
	s.near.Apply.Destination = flags.Destination{OutputName: s.description.output, Tree: s.near.Tree, To: s.form}
	s.near.AddSteps(s.Builder, data, s.counted("fuzzy", s.near.Applier(s.Builder)))
}

// write sets the name and the form of the last stage's output. In a dry run, the stage writes
// nothing.
func (s *sections) write(last plan.Stage) {
	o := last.Options.SharedOptions()
	o.OutputName, o.To = s.Target(s.description.output), s.form
}

// front returns the stages that remove exact duplicates and apply the filters. They run before the
// steps for near-duplicates.
func (s *sections) front() (front []plan.Stage) {
	if s.exact {
		o := s.unique
		front = append(front, s.counted("exact", plan.Tool("recuniq", &o)))
	}
	for _, o := range s.filters() {
		front = append(front, s.counted("filters", plan.Tool("recfilter", &o)))
	}
	return front
}

// reporting adds the steps of a run with a report on its filters. The filters then run
// twice: for the report, and for the output.
func (p *Options) reporting(s *sections, operands []string) error {
	judging := *s.description
	judging.languageFilter.Apply, judging.qualityFilter.Apply = false, false
	all := judging.filters()
	if len(all) > 1 {
		return tool.UsageError("--report needs one step, but language and quality read different fields")
	}
	data, decisions, judge := s.Reread(operands, *s.firstReader()), s.Scratch(""), plan.Tool("recfilter", &all[0])
	s.Add(plan.Step{Stages: []plan.Stage{judge.On(data...)}, Into: decisions})
	o, command := dedup.PageOptions(&s.qualityFilter.Common), []string{"doppel filter"}
	if !s.quality {
		o = dedup.PageOptions(&s.languageFilter.Common)
	}
	if p.Config != "" {
		command = append(command, "--config="+p.Config)
	}
	command = append(command, flagset.Args(flags.Part{Common: &p.Common, Shared: flags.Inputs}, flags.Part{Common: new(flags.Common), Shared: flags.Inputs})...)
	o.Decisions = decisions.Path()
	p.Report.Add(s.Builder, o, data, command, judge)
	last := s.front()[0].Rereading().On(data...)
	s.write(last)
	s.Add(plan.Step{Stages: []plan.Stage{last}})
	return nil
}

// stepStats holds the counts of one pipeline step.
type stepStats struct {
	Step    string           `json:"step"`
	Records int64            `json:"records"`
	Kept    int64            `json:"kept"`
	Dropped int64            `json:"dropped"`
	Unread  int64            `json:"unread,omitempty"` // number of bad records, which the step skipped without a decision
	Reasons map[string]int64 `json:"reasons,omitempty"`
}

// pipelineStats holds the totals printed at the end of a pipeline.
type pipelineStats struct {
	Records int64       `json:"records"`
	Kept    int64       `json:"kept"`
	Steps   []stepStats `json:"steps"`
	Seconds float64     `json:"seconds"`
	MaxRSS  int64       `json:"peak_memory_bytes"`
}

// report checks that no record was lost between steps, and writes the statistics to standard
// error.
func (s *sections) report(j *dedup.Job, took time.Duration) error {
	p := pipelineStats{Seconds: took.Seconds(), MaxRSS: tool.PeakMemory()}
	for i, c := range s.counts {
		if err := p.add(stepStats{s.names[i], c.Read(), c.Kept, c.Dropped + c.Missing, c.Unread, c.Reasons}); err != nil {
			return err
		}
	}
	return j.Report(s.Env, p, func() {
		for _, one := range p.Steps {
			s.Env.Note("%s: %s, %d dropped, %d kept", one.Step, msg.Number(one.Records, "record"), one.Dropped, one.Kept)
		}
		s.Env.Note("%s, %d kept; %.2f s, %.0f MB at the peak", msg.Number(p.Records, "record"), p.Kept, p.Seconds, float64(p.MaxRSS)/1e6)
	})
}

// add adds the counts of a step. It returns an error if the step did not read all records that the
// previous step kept.
func (p *pipelineStats) add(s stepStats) error {
	if n := len(p.Steps); n == 0 {
		p.Records = s.Records + s.Unread
	} else if before := p.Steps[n-1]; s.Records+s.Unread != before.Kept {
		return fmt.Errorf("%s kept %s, but %s read %d", before.Step, msg.Number(before.Kept, "record"), s.Step, s.Records)
	}
	p.Steps, p.Kept = append(p.Steps, s), s.Kept
	return nil
}
