package pipeline

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/stage/dupreport"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
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

// step returns the step that writes the page, if one is wanted. The options say how
// the records are read, and the words where.
func (p *Report) step(o dupreport.Options, data []word, words ...[]word) Plan {
	if p.File == "" {
		return nil
	}
	o.By = p.By
	o.Ordinals = named(o.Records)
	s := stage("dupreport", append([][]word{plain(o.Args()...), p.timed(), laterReader(data), flagged("records", data), further(p.File)}, words...)...)
	return Plan{{stages: []Stage{s}}}
}

// timed makes the word that tells how long it took from now on until the page is begun.
func (p *Report) timed() []word {
	if !p.Timed {
		return nil
	}
	begun := time.Now()
	seconds := func() string { return fmt.Sprintf("%.3f", max(.001, time.Since(begun).Seconds())) }
	return []word{{text: "--seconds=", late: seconds, silent: true}}
}

// report returns the step that reports.
func (f *Fuzzy) report(data []word, d decidingPlan) Plan {
	o, preset := f.page(), DefaultFuzzy()
	o.Command = commandLine("doppel fuzzy", flagset.Args(decisionOptions{f}, decisionOptions{&preset}), data)
	o.Chain = chainOf(f.sign(nil), f.pair(), f.verify(nil), f.group(nil))
	o.Bands, _ = f.Pair.Keys.Settle(f.Sign.Slots) // what cannot be is refused by the stage
	return f.Evidence.Report.step(o, data, f.told(), flagged("scores", d.scores), flagged("decisions", d.list), f.shown(d))
}

// page returns the options of a page on records that are read so.
func page(c *flags.Common) dupreport.Options {
	o := dupreport.Default()
	o.Records, o.Jobs, o.KeepGoing = c.Records, c.Jobs, c.KeepGoing
	return o
}

// page returns the options of the page.
func (f *Fuzzy) page() dupreport.Options {
	o := page(&f.Apply.Common)
	o.Decide.Rank, o.Decide.Cut = f.Decide.Rank, f.Pair.Keys.Threshold
	return o
}

// shown returns the words that show the commonest keys, and what was measured.
func (f *Fuzzy) shown(d decidingPlan) (words []word) {
	if d.keys != nil {
		words = from("common", d.keys)
	}
	if name := f.Evidence.Measured; name != "" {
		words = append(words, plain("--measured="+name)...)
	}
	return words
}

// decisionOptions are the options that change what is decided.
type decisionOptions struct{ *Fuzzy }

// Flags registers them, to be given in the order of their names.
func (d decisionOptions) Flags(fs *pflag.FlagSet) {
	fs.SortFlags = true
	d.Decisions(fs)
}
