package front

import (
	"errors"
	"os"
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/config"
	"doppel/pkg/record"
	"doppel/pkg/tool"
)

// pipeline runs the steps of a file: exact duplicates out, then what the
// filters drop, then near-duplicates.
func pipeline() *tool.Command {
	p := fromFile{name: "pipeline"}
	return p.command("run the steps that a file describes")
}

// filter runs the filters of a file alone.
func filter() *tool.Command {
	p := fromFile{name: "filter", filtersOnly: true}
	return p.command("drop records by quality and language, as a file describes")
}

// fromFile is a command that a file describes.
type fromFile struct {
	name        string
	filtersOnly bool
	config      string
	fs          *pflag.FlagSet
	job         job
}

func (p *fromFile) command(summary string) *tool.Command {
	return tool.Adapt(&tool.Old{
		Name:    "doppel " + p.name,
		Summary: summary,
		Usage:   "[FILE...]",
		Shared:  tool.Jobs | tool.KeepGoing | tool.Watch,
		Flagger: func(fs *pflag.FlagSet) {
			p.fs = fs
			fs.StringVarP(&p.config, "config", "c", "", "do what `FILE` describes, in YAML or TOML")
			p.job.register(fs)
		},
		Runner: p.run,
	})
}

func (p *fromFile) run(e *tool.Env, args []string) error {
	if err := p.job.checkStats(); err != nil {
		return err
	}
	c, err := p.read()
	if err != nil {
		return err
	}
	s, err := newSteps(c, given(p.fs, "jobs", "keep-going"))
	if err != nil {
		return err
	}
	if len(args) == 0 && c.Input.Path != "" {
		args = []string{c.Input.Path}
	}
	if s.output = p.job.output; s.output == "" {
		s.output = c.Output.Path
	}
	if p.job.print {
		return s.print(e.Out, args)
	}
	if err := p.redirect(e, s); err != nil {
		return err
	}
	start, r := time.Now(), &running{e: e, job: &p.job}
	if err := s.run(r, args); err != nil {
		return r.ended(err)
	}
	return s.report(r, time.Since(start))
}

// read reads the file.
func (p *fromFile) read() (*config.Config, error) {
	if p.config == "" && p.filtersOnly {
		return &config.Config{Filters: config.Filters{Quality: &config.Quality{}}}, nil
	}
	if p.config == "" {
		return nil, tool.UsageError("want a file that describes the pipeline, by --config")
	}
	data, err := os.ReadFile(p.config)
	if err != nil {
		return nil, err
	}
	c, err := config.Parse(p.config, data)
	var wrong *config.Error
	if errors.As(err, &wrong) && wrong.Hint != "" {
		return nil, tool.WithHint(err, "%s", wrong.Hint)
	}
	if err == nil && p.filtersOnly && c.Deduplication != (config.Deduplication{}) {
		err = tool.WithHint(tool.UsageError("%s describes more than filters", p.config), "run doppel pipeline")
	}
	return c, err
}

// redirect sends the output to its file, compressed as the file's name or the
// description says, or nowhere in a dry run.
func (p *fromFile) redirect(e *tool.Env, s *steps) error {
	name := s.output
	if p.job.dryRun {
		name = os.DevNull
	}
	if name != "" {
		if err := e.Redirect(name); err != nil {
			return err
		}
	}
	if s.compression == record.Plain {
		return nil
	}
	return e.Compress(s.compression)
}
