package dedup

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/stage/dupreport"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// A Report holds the options of an HTML page that shows which records were dropped, and why. A dry
// run writes the page too, so that users can judge the result before the real run.
type Report struct {
	File  string
	By    []string // paths of fields; the page counts records by the values of each field
	Timed bool     // show the duration of the run, which makes the pages of equal runs differ
}

func (p *Report) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&p.File, "report", p.File, "write an HTML report of what was dropped, and why, to `FILE`")
	flags.MarkWritten(fs, "report")
	fs.StringArrayVar(&p.By, "by", p.By, "with --report: also count records by the field at this `PATH`; may be repeated")
	fs.BoolVar(&p.Timed, "timed", p.Timed, "with --report: show how many seconds passed until the last decision")
	flagset.Assign(fs, flagset.Evidence, "report", "by", "timed")
}

func (p *Report) Check() error {
	switch {
	case p.File == "" && len(p.By) > 0:
		return tool.UsageError("--by needs --report")
	case p.File == "" && p.Timed:
		return tool.UsageError("--timed needs --report")
	}
	return nil
}

// Add adds the step that writes the page, if --report is given. In o, the caller sets the options
// for reading records, and the names of the files with the decisions and the scores. The page shows
// the command and, if given, the chain of stages that made the decisions.
func (p *Report) Add(b *plan.Builder, o dupreport.Options, data, command []string, chain ...plan.Stage) {
	if p.File == "" {
		return
	}
	o.By, o.Data = p.By, data
	o.Ordinals = named(o.Records)
	// Omit --keep-going, because the page shows the number of bad records anyway.
	args := slices.DeleteFunc(shown(command[1:]), func(arg string) bool { return arg == "--keep-going" })
	for _, file := range data {
		if _, copied := b.Env.Called[file]; copied || plan.IsScratch(file) {
			continue
		}
		if filepath.IsAbs(file) {
			file = filepath.Base(file)
		}
		args = append(args, file)
	}
	var stages []string
	for _, s := range chain {
		stages = append(stages, msg.Command(s.Tool, shown(s.Args())...))
	}
	o.Command, o.Chain = msg.Command(command[0], args...), strings.Join(stages, " | ")
	o.OutputName = b.Output(p.File, false)
	s := plan.Tool("dupreport", &o).Rereading()
	if p.Timed {
		begun := time.Now()
		s.Begin = func() { o.Seconds = max(.001, time.Since(begun).Truncate(time.Millisecond).Seconds()) }
	}
	b.Add(plan.Step{Stages: []plan.Stage{s}})
}

// shown returns arguments as the page shows them, so that the page does not depend on the machine.
// It removes the directory of an absolute path, and the arguments that affect only how a command
// runs.
func shown(args []string) (all []string) {
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		switch name {
		case "--jobs", "--mem", "--progress", "--no-progress", "--no-sync":
			continue
		case "--key", "--config", "--scores", "--against":
			if filepath.IsAbs(value) {
				arg = name + "=" + filepath.Base(value)
			}
		}
		all = append(all, arg)
	}
	return all
}

// PageOptions returns the default options of a page, with the read options of c.
func PageOptions(c *flags.Common) dupreport.Options {
	o := dupreport.Default()
	o.Records, o.Jobs, o.KeepGoing = c.Records, c.Jobs, c.KeepGoing
	o.Records.Within, o.Records.Across = "", "" // the report compares nothing, and may count by the same path
	return o
}

func (f *Near) Page() dupreport.Options {
	o := PageOptions(&f.Common)
	o.Threshold = f.Pair.Keys.Threshold
	o.Against, o.Old = f.Old.data, f.Old.Read
	return o
}

// decisionOptions is a Near whose Flags registers only the options that affect the decisions.
type decisionOptions struct{ *Near }

// Flags registers the options that affect the decisions, sorted by name.
func (d decisionOptions) Flags(fs *pflag.FlagSet) {
	fs.SortFlags = true
	d.Decisions(fs)
	option.ValueFlags(fs, &d.Records)
	flagset.Offer(fs, &d.Old, "against", "against-field", "against-id", "only-against")
}
