package pipeline

import (
	"cmp"
	"errors"
	"os"
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/config"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
	"doppel/pkg/wording"
)

// FromFile runs the steps that a file describes: exact duplicates out, then what
// the filters drop, then near-duplicates.
type FromFile struct {
	flags.Common
	Config      string // the name of the file
	Output      string // where to write, instead of where the file says
	FiltersOnly bool   // the file has nothing but filters, and none is needed
	Report      Report // of the filters, where there is nothing else
	Job         Job
}

// Flags registers the flags.
func (p *FromFile) Flags(fs *pflag.FlagSet) {
	fs.StringVarP(&p.Config, "config", "c", p.Config, "do what `FILE` describes, in YAML or TOML")
	p.Job.Flags(fs)
	if p.FiltersOnly {
		p.Report.Flags(fs)
	}
	fs.StringVarP(&p.Output, "output", "o", p.Output, "write to `FILE`, whole or not at all")
	p.Common.Flags(fs, flags.Jobs|flags.KeepGoing|flags.Watch)
}

// Check refuses a run without a file.
func (p *FromFile) Check() error {
	if p.Config == "" && !p.FiltersOnly {
		return tool.UsageError("want a file that describes the pipeline, by --config")
	}
	return cmp.Or(p.Report.Check(), p.Job.Check())
}

// Run runs the steps.
func (p *FromFile) Run(e *tool.Env, operands []string) error {
	d, err := p.read()
	if err != nil {
		return err
	}
	d.inherit(&p.Common)
	if len(operands) == 0 && d.input != "" {
		operands = []string{d.input}
	}
	if err := e.Reads(operands...); err != nil {
		return err
	}
	d.inheritKind(operands)
	if p.Output != "" {
		d.output = p.Output
	}
	if err := d.checkName(); err != nil {
		return err
	}
	s, err := p.steps(e, d, operands)
	if err != nil {
		return err
	}
	return p.Job.do(e, task{s.plan, s.data, func(r *run, took time.Duration) error { return s.report(&p.Job, r, took) }})
}

// read reads the file. Without one the filters are those of the preset default.
func (p *FromFile) read() (*description, error) {
	d := newDescription()
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
		return nil, wording.WithHint(err, "%s", wrong.Hint)
	case err == nil && p.FiltersOnly && (d.exact || d.fuzzy):
		err = wording.WithHint(tool.UsageError("%s describes more than filters", p.Config), "run doppel pipeline")
	}
	return d, err
}

// steps are a pipeline: stages through which the records run, then a job that
// decides on all of them and applies that.
type steps struct {
	plan   Plan
	data   []word
	names  []string   // of the stages that count
	counts []*scratch // what they write
}

// counted adds the words by which a stage writes its counts.
func (s *steps) counted(name string, st Stage) Stage {
	c := &scratch{}
	s.names, s.counts = append(s.names, name), append(s.counts, c)
	return st.with(counting(c))
}
