package pipeline

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/stage/dupreport"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
	"doppel/pkg/wording"
)

// A Report is a page that tells what was dropped, and why. It is written in a dry run
// too: that is when it is looked at.
type Report struct {
	File  string
	By    []string // fields by which it counts records
	Timed bool     // it tells how long the run took, so that it is another one each time
}

// Flags registers the flags.
func (p *Report) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&p.File, "report", p.File, "write a page that shows what was dropped, and why, to `FILE`")
	fs.StringArrayVar(&p.By, "by", p.By, "have it count records by the field at this `PATH`, too; may be given again")
	fs.BoolVar(&p.Timed, "timed", p.Timed, "have it tell how many seconds passed until all was decided")
}

// Check refuses what does nothing.
func (p *Report) Check() error {
	switch {
	case p.File == "" && len(p.By) > 0:
		return tool.UsageError("--by needs --report")
	case p.File == "" && p.Timed:
		return tool.UsageError("--timed needs --report")
	}
	return nil
}

// add adds the step that writes the page, if one is wanted. The options say how the
// records are read, and where the decisions and the scores are.
func (p *Report) add(b *builder, o dupreport.Options, data []string) {
	if p.File == "" {
		return
	}
	o.By, o.Data = p.By, data
	o.Ordinals = named(o.Records)
	o.OutputName = b.output(p.File, false)
	s := stage("dupreport", &o).again()
	if p.Timed {
		begun := time.Now()
		s.begin = func() { o.Seconds = max(.001, time.Since(begun).Truncate(time.Millisecond).Seconds()) }
	}
	b.add(step{stages: []Stage{s}})
}

// report adds the step that reports.
func (f *Fuzzy) report(b *builder, data []string, d decided) {
	o, preset := f.page(), DefaultFuzzy()
	o.Command = commandLine(b, "doppel fuzzy", flagset.Args(decisionOptions{f}, decisionOptions{&preset}), data)
	o.Chain = chainOf(f.sign(), f.pair(), f.verify(nil), f.group(nil))
	o.Bands, _ = f.Pair.Keys.Settle(f.Sign.Slots) // the stage rejects bands that cannot be
	o.Scores, o.Decisions, o.Shared, o.Measured = d.scores, d.list, d.keys, f.Evidence.Measured
	f.Evidence.Report.add(b, o, data)
}

// page returns the options of a page on records that are read so.
func page(c *flags.Common) dupreport.Options {
	o := dupreport.Default()
	o.Records, o.Jobs, o.KeepGoing = c.Records, c.Jobs, c.KeepGoing
	return o
}

// page returns the options of the page.
func (f *Fuzzy) page() dupreport.Options {
	o := page(&f.Common)
	o.Decide.Rank, o.Decide.Cut = f.Decide.Rank, f.Pair.Keys.Threshold
	return o
}

// decisionOptions are the options that change what is decided.
type decisionOptions struct{ *Fuzzy }

// Flags registers them, to be given in the order of their names.
func (d decisionOptions) Flags(fs *pflag.FlagSet) {
	fs.SortFlags = true
	d.Decisions(fs)
}

// chainOf returns the text of stages that were made without data.
func chainOf(stages ...Stage) string {
	all := make([]string, len(stages))
	for i, s := range stages {
		all[i] = s.tool
		for _, arg := range s.args() {
			if !aside(arg) {
				all[i] += " " + wording.Quote(local(arg))
			}
		}
	}
	return strings.Join(all, " | ")
}

// aside reports whether an argument changes how something runs and not what comes of
// it: a report is the same page each time.
func aside(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return slices.Contains([]string{"--jobs", "--mem", "--progress", "--no-progress"}, name)
}

// local returns an argument without the directories of a file that it names, if those
// are of this machine.
func local(arg string) string {
	for _, flag := range []string{"--key=", "--config=", "--scores="} {
		if name, ok := strings.CutPrefix(arg, flag); ok && filepath.IsAbs(name) {
			return flag + filepath.Base(name)
		}
	}
	return arg
}

// commandLine returns the command that does the same, as a shell has it. Of absolute
// paths it has the last parts, and of copies of inputs nothing. The page reports what was
// bad.
func commandLine(b *builder, name string, args []string, data []string) string {
	words := []string{name}
	for _, a := range args {
		if a != "--keep-going" && !aside(a) {
			words = append(words, wording.Quote(local(a)))
		}
	}
	for _, file := range data {
		if _, copied := b.e.Called[file]; copied || strings.HasPrefix(file, mark) {
			continue
		}
		if filepath.IsAbs(file) {
			file = filepath.Base(file)
		}
		words = append(words, wording.Quote(file))
	}
	return strings.Join(words, " ")
}
