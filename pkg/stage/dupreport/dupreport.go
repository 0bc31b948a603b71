// Package dupreport writes a page about the records that a run dropped, with the reasons.
//
// It reads the decisions, then the scores, then the records. It holds counts, and the beginnings of
// the few texts that the page shows. A record with a decision takes 12 bytes of memory in addition
// to its id. Time and memory grow in proportion to the number of records, but the size of the page
// does not grow.
//
// See man/dupreport.1.
package dupreport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	_ "doppel/pkg/manifest/checksum"
	"doppel/pkg/msg"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/report"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
	"doppel/pkg/tool/describe"
	"doppel/pkg/tool/flags"
	"doppel/pkg/tool/version"
)

// Options say what to report.
type Options struct {
	flags.Common
	Of        string     // manifest of the run; "" for none
	Data      []string   // files of records
	Against   []string   // files of the old records that the records were compared with
	Old       option.Old // how the old records are read
	Scores    []string   // files of scored pairs
	Decisions string     // file of the decisions
	By        []string   // paths of fields; the page counts records by the values of these fields
	Threshold float64    // threshold of the run; 0 to take it from the reasons of the decisions
	Command   string     // command shown for repeating the run; "" to show the command of this report
	Chain     string     // shown as the chain of commands that made the decisions; "" for none
	Seconds   float64    // elapsed time to show; 0 for none
	Seed      uint64     // seed of random choices
	Ordinals  bool       // ids of decisions and scores are ordinals; ids from --id are only shown
	Whole     bool       // the text of a record is the whole record
	Paths     bool       // show whole paths, not only the last parts of absolute paths
}

// Default returns the options that apply if no flags are given.
func Default() Options {
	return Options{
		Common: flags.OfText(),
		Seed:   1,
	}
}

// Command returns a new description of this program, with default options.
var Command = tool.New("dupreport", "write a page that shows what was dropped, and why", "--run MANIFEST, or --records FILE --decisions FILE", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&o.Of, "run", o.Of, "take the files and the options from `FILE`; FILE is the manifest of the run")
	fs.StringArrayVar(&o.Data, "records", o.Data, "read the records from `FILE`; may be repeated")
	fs.StringArrayVar(&o.Against, "against", o.Against, "read the old records of the decisions from `FILE`; may be repeated")
	o.Old.Flags(fs)
	fs.StringVar(&o.Decisions, "decisions", o.Decisions, "read the decisions from `FILE`")
	fs.StringArrayVar(&o.Scores, "scores", o.Scores, "read the scored pairs from `FILE`; may be repeated")
	fs.StringArrayVar(&o.By, "by", o.By, "also count records by the field at this `PATH`; may be repeated")
	fs.Float64VarP(&o.Threshold, "threshold", "t", o.Threshold, "show `T` as the threshold (default 0: that of the reasons)")
	fs.StringVar(&o.Command, "command", o.Command, "show `TEXT` as the command that repeats the run")
	fs.StringVar(&o.Chain, "chain", o.Chain, "show `TEXT` as the chain that made the decisions")
	fs.Float64Var(&o.Seconds, "seconds", o.Seconds, "show `S` seconds as the time of the run")
	fs.Uint64Var(&o.Seed, "seed", o.Seed, "draw examples with the random seed `S`")
	fs.BoolVar(&o.Ordinals, "ordinals", o.Ordinals, "treat the ids in decisions and scores as ordinals; ids from --id are only shown")
	fs.BoolVar(&o.Whole, "whole", o.Whole, "use the whole record as its text")
	fs.BoolVar(&o.Paths, "paths", o.Paths, "show whole paths, not the last parts of absolute ones")
	o.Common.Flags(fs, flags.Records|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Input, "run", "records", "against", "against-field", "against-id", "decisions", "scores", "ordinals", "whole")
	flagset.Assign(fs, flagset.Output, "by", "threshold", "command", "chain", "seconds", "seed", "paths")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"run", "records", "decisions", "scores", "against", "field", "id", "by", "threshold", "output", "jobs"}
}

// Follow takes the files and the options of the run from the manifest of --run.
func (o *Options) Follow(fs *pflag.FlagSet, operands []string) ([]string, error) {
	if o.Of == "" {
		return operands, nil
	}
	m, err := describe.OpenUnchanged(o.Of, "scores", "decisions", "against")
	if err != nil {
		return nil, err
	}
	if _, given := m.Values("decisions"); !given {
		return nil, tool.UsageError("--run %s: the run wrote no decisions: want a run with --decisions", o.Of)
	}
	for _, c := range m.Collections {
		if c.Before != nil && c.Before.Records > 0 {
			return nil, fmt.Errorf("%s: the run had the collection %s, whose records a report cannot show", o.Of, c.Name)
		}
	}
	names := append([]string{"decisions", "scores", "against", "against-field", "against-id", "threshold", "field", "missing", "id", "lines", "max-record", "with-filename"}, flags.DialectFlags...)
	if err := describe.TakeOptions(fs, o.Of, m, names, nil); err != nil {
		return nil, err
	}
	if o.Data, err = describe.SameOperands(o.Data, o.Of, m); err != nil {
		return nil, err
	}
	_, fields := m.Values("field")
	o.Whole = o.Whole || m.Command == "exact" && !fields && !o.Records.Lines
	o.Ordinals = o.Records.ID != "" || o.Records.WithFilename
	if o.Command == "" {
		words := slices.Concat([]string{"doppel", m.Command}, m.Options, m.Operands)
		for i, word := range words {
			words[i] = msg.Quote(word)
		}
		o.Command = strings.Join(words, " ")
	}
	return operands, nil
}

// Args returns the command-line arguments that set these options.
func (o *Options) Args() []string { return flagset.Args(o, new(Default())) }

// Check rejects invalid options.
func (o *Options) Check() error {
	switch {
	case len(o.Data) == 0:
		return tool.UsageError("want --run MANIFEST, or --records FILE with the dataset of the run and --decisions FILE")
	case o.Decisions == "":
		return tool.UsageError("--decisions FILE is required; FILE must contain decisions, such as those of doppel fuzzy --decisions")
	case o.OutputName != "" && slices.Contains(slices.Concat(o.Data, o.Against, o.Scores, []string{o.Of, o.Decisions}), o.OutputName):
		return tool.UsageError("-o %s: the report also reads this file", o.OutputName)
	case len(o.By) > 0 && o.Records.Lines:
		return tool.UsageError("--by: records of --lines have no fields")
	case !(0 <= o.Seconds && o.Seconds < 1e9):
		return tool.UsageError("--seconds %v: want a number of seconds", o.Seconds)
	case !(0 <= o.Threshold && o.Threshold <= 1):
		return tool.UsageError("--threshold %v: want 0 to 1", o.Threshold)
	}
	return nil
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	o.Old.Idle(&i, len(o.Against) > 0, &o.Records)
	i.When(o.Whole, "with --whole", "against-field")
	return i
}

// Limits of the page.
const (
	mostGroups   = 50  // maximum number of groups
	mostNear     = 50  // maximum number of pairs near the threshold
	mostReasons  = 40  // maximum number of reasons
	mostExamples = 20  // maximum number of examples for a reason
	mostDrawn    = 40  // maximum number of examples in all; each reason has at least one
	mostIDs      = 500 // maximum total length of the two ids in a command, in bytes
)

// A session holds the data that one run has read so far.
type session struct {
	e    *tool.Env
	opt  *Options
	page report.Page
	decisions
	texts
}

// Run reads the files named by the options and writes the page.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if len(operands) > 0 {
		return tool.UsageError("want no operands, not %q: give the records with --records", operands[0])
	}
	r := &session{e: e, opt: o, texts: texts{byID: map[string]*text{}, parts: map[string][]*text{}}}
	r.ordinal = o.Ordinals || o.Records.ID == "" && !o.Records.WithFilename
	for _, step := range []func() error{r.readDecisions, r.readScores, r.readRecords, r.readOld, r.checkRead} {
		if err := step(); err != nil {
			return err
		}
	}
	r.page.Run = report.Run{Command: o.Command, Chain: o.Chain, Version: version.Built(), Seconds: o.Seconds}
	if o.Command == "" {
		run := *o
		run.OutputName, run.NoSync, run.Jobs, run.Watch, run.Seconds = "", false, 0, flags.Display{}, 0
		run.Data, run.Against, run.Scores = r.names(o.Data), r.names(o.Against), r.names(o.Scores)
		run.Decisions = r.shownName(run.Decisions)
		r.page.Command = msg.Command("dupreport", run.Args()...)
	}
	return r.page.Write(e.Out)
}
