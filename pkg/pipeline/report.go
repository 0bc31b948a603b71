package pipeline

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/chain"
	"doppel/pkg/flagset"
	"doppel/pkg/stage/dupreport"
	"doppel/pkg/tool"
)

// A Report is a page that tells what was dropped, and why. It is written in a dry run
// too: that is when it is looked at.
type Report struct {
	File string
	By   []string // fields by which it counts records
}

// Flags registers the flags.
func (p *Report) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&p.File, "report", p.File, "write a page that shows what was dropped, and why, to `FILE`")
	fs.StringArrayVar(&p.By, "by", p.By, "have it count records by the field at this `PATH`, too; may be given again")
}

// Check refuses what does nothing.
func (p *Report) Check() error {
	if p.File == "" && len(p.By) > 0 {
		return tool.UsageError("--by needs --report")
	}
	return nil
}

// step returns the step that writes the page, if one is wanted. The options say how
// the records are read, and the words where.
func (p *Report) step(o dupreport.Options, data []Word, words ...[]Word) Plan {
	if p.File == "" {
		return nil
	}
	o.By = p.By
	o.Ordinals = o.Records.ID != "" || o.Records.WithFilename
	s := stage("dupreport", append([][]Word{plain(o.Args()...), calls(data), flagged("records", data), further(p.File)}, words...)...)
	return Plan{{stages: []Stage{s}}}
}

// report returns the step that reports.
func (f *Fuzzy) report(data []Word, d decided) Plan {
	o := dupreport.Default()
	o.Records, o.Jobs, o.KeepGoing = f.Apply.Records, f.Apply.Jobs, f.Apply.KeepGoing
	o.Records.Fields = f.Sign.Records.Fields
	o.Decide.Rank, o.Decide.Cut = f.Decide.Rank, f.Pair.Keys.Threshold
	preset := DefaultFuzzy()
	o.Command = commandLine("doppel fuzzy", flagset.Args(deciding{f}, deciding{&preset}), data)
	return f.Evidence.Report.step(o, data, f.told(), flagged("scores", d.scores), flagged("decisions", []Word{d.list}))
}

// deciding are the options that change what is decided.
type deciding struct{ *Fuzzy }

// Flags registers them.
func (d deciding) Flags(fs *pflag.FlagSet) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	d.Decisions(all)
	all.VisitAll(func(f *pflag.Flag) {
		if !slices.Contains([]string{"mem", "jobs", "keep-going"}, f.Name) {
			fs.AddFlag(f)
		}
	})
}

// commandLine returns the command that does it again, as a shell has it. Of absolute
// paths it has the last parts, and of what can be read only once nothing.
func commandLine(name string, args []string, data []Word) string {
	words := []string{name}
	for _, a := range args {
		words = append(words, chain.Quote(a))
	}
	for _, w := range data {
		if w.scratch != nil {
			continue
		}
		file := w.text
		if filepath.IsAbs(file) {
			file = filepath.Base(file)
		}
		words = append(words, chain.Quote(file))
	}
	return strings.Join(words, " ")
}

// steps returns the steps that the file describes, and the one that reports. The
// filters judge twice then: to tell, and to write.
func (p *FromFile) steps(e *tool.Env, d *description, names []string) (*steps, error) {
	if p.Report.File == "" {
		return d.steps(e, &p.Job, names)
	}
	judge := *d
	judge.speaks.Apply, judge.reads.Apply = false, false
	lists := judge.filterArgs()
	if len(lists) > 1 {
		return nil, tool.UsageError("--report is of one judgement, and language and quality look at different fields")
	}
	data, copies, err := again(e, names)
	if err != nil {
		return nil, err
	}
	s, decisions := &steps{data: data}, &Scratch{}
	s.plan = append(copies, Step{stages: []Stage{stage("recfilter", plain(lists[0]...), calls(data)).on(data)}, into: decisions})
	s.plan = append(s.plan, p.report(d, data, decisions)...)
	last := d.front(s)[0].with(d.target(&p.Job), calls(data), told(p.KeepGoing)).on(data)
	s.plan = append(s.plan, Step{stages: []Stage{last}})
	return s, nil
}

// report returns the step that reports.
func (p *FromFile) report(d *description, data []Word, decisions *Scratch) Plan {
	o, args := dupreport.Default(), []string(nil)
	if o.Common = d.reads.Common; !d.quality {
		o.Common = d.speaks.Common
	}
	o.OutputName, o.To, o.Mem = "", "", dupreport.Default().Mem
	if p.Config != "" {
		args = []string{"--config=" + p.Config}
	}
	o.Command = commandLine("doppel filter", args, data)
	return p.Report.step(o, data, from("decisions", decisions), told(p.KeepGoing))
}
