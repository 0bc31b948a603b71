// Package dupreport makes a page of the records that a run dropped, with the reasons.
//
// It reads the decisions once, then the scores, then the records. It holds counts of the
// records, and the beginnings of the few texts that the page shows. Memory: for each record in a
// decision 12 bytes and its id, for each record in a pair 16 bytes, or 24 if the rank is by
// size, plus garbage not yet collected. Ten million synthetic records with as many pairs, which
// drop 6.7 million, took 32.8 s of processor time, 854 MB, and a page of 71 kB; a hundred
// million would take ten times the time and memory, for a page of the same size.
//
// See man/dupreport.1.
package dupreport

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/lsh"
	"doppel/pkg/msg"
	"doppel/pkg/record"
	"doppel/pkg/record/bitset"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/report"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say what to report.
type Options struct {
	flags.Common
	Data      []string         // files of records
	Against   []string         // files of the old records they were compared with
	Old       option.Old       // how the old records are read
	Scores    []string         // files of scored pairs
	Decisions string           // file of the decisions
	Measured  string           // output of doppel measure, or ""
	Shared    string           // keys that too many records have, as lshpairs --common writes them, or ""
	By        []string         // fields by which records are counted
	Decide    dupgroup.Options // only its rank and threshold are used
	Command   string           // shown as the command that repeats the run; "": the command of this run
	Chain     string           // shown as the chain that made the decisions, or ""
	Seconds   float64          // shown as the elapsed time; 0: not shown
	Bands     lsh.Bands        // shown as a predicted curve, unless zero
	Seed      uint64           // of random choices
	Ordinals  bool             // ids of decisions and scores are ordinals; ids from --id are only displayed
	Whole     bool             // the text of a record is the whole record
	Paths     bool             // show whole paths
}

// Default returns the options that apply if no flags are given.
func Default() Options {
	return Options{
		Common: flags.Common{Mem: 256 << 20, Records: record.Options{Fields: []string{flags.Text}}},
		Decide: dupgroup.Default(),
		Seed:   1,
	}
}

// Command returns the tool.
func Command() *tool.Command {
	return &tool.Command{
		Name:    "dupreport",
		Summary: "write a page that shows what was dropped, and why",
		Usage:   "--records FILE --decisions FILE",
		Options: new(Default()),
	}
}

// Flags registers the flags.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.Data, "records", o.Data, "read the records from `FILE`; may be repeated")
	fs.StringArrayVar(&o.Against, "against", o.Against, "read the old records of the decisions from `FILE`; may be repeated")
	o.Old.Flags(fs)
	fs.StringVar(&o.Decisions, "decisions", o.Decisions, "read the decisions from `FILE`")
	fs.StringArrayVar(&o.Scores, "scores", o.Scores, "read the scored pairs from `FILE`; may be repeated")
	fs.StringVar(&o.Measured, "measured", o.Measured, "show the curve in `FILE`, written by doppel measure")
	fs.StringVar(&o.Shared, "common", o.Shared, "show the keys in `FILE`, written by lshpairs or keypairs --common")
	fs.StringArrayVar(&o.By, "by", o.By, "also count records by the field at this `PATH`; may be repeated")
	fs.Float64VarP(&o.Decide.Cut, "threshold", "t", o.Decide.Cut, "show `T` as the threshold of the run (0: the threshold in the reasons)")
	fs.StringVar(&o.Decide.Rank, "rank", o.Decide.Rank, "describe the run as ranked by `RANK`, as in dupgroup")
	fs.StringVar(&o.Command, "command", o.Command, "show `TEXT` as the command that repeats the run")
	fs.StringVar(&o.Chain, "chain", o.Chain, "show `TEXT` as the chain that made the decisions")
	fs.Float64Var(&o.Seconds, "seconds", o.Seconds, "show `S` seconds as the time of the run")
	fs.IntVar(&o.Bands.B, "bands", o.Bands.B, "show the S-curve of `N` bands and --rows")
	fs.IntVar(&o.Bands.R, "rows", o.Bands.R, "show the S-curve of --bands and `N` rows")
	fs.Uint64Var(&o.Seed, "seed", o.Seed, "draw examples by the random seed `S`")
	fs.BoolVar(&o.Ordinals, "ordinals", o.Ordinals, "treat the ids in decisions and scores as ordinals; ids from --id are only shown")
	fs.BoolVar(&o.Whole, "whole", o.Whole, "use the whole record as its text")
	fs.BoolVar(&o.Paths, "paths", o.Paths, "show whole paths, not the last parts of absolute ones")
	o.Common.Flags(fs, flags.Records|flags.Memory|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
}

// Args returns the arguments that turn the default options into these.
func (o *Options) Args() []string { return flagset.Args(o, new(Default())) }

// Check rejects invalid options.
func (o *Options) Check() error {
	switch {
	case len(o.Data) == 0:
		return tool.UsageError("want --records FILE, with the dataset of the run")
	case o.Decisions == "":
		return tool.UsageError("want --decisions FILE, written by dupgroup or doppel fuzzy --decisions")
	case len(o.By) > 0 && o.Records.Lines:
		return tool.UsageError("--by: records of --lines have no fields")
	case o.Bands.B < 0 || o.Bands.R < 0 || (o.Bands.B == 0) != (o.Bands.R == 0):
		return tool.UsageError("--bands and --rows: want two positive numbers")
	case !(0 <= o.Seconds && o.Seconds < 1e9):
		return tool.UsageError("--seconds %v: want a number of seconds", o.Seconds)
	}
	decide := o.Decide
	decide.Data = o.Data
	return decide.Check()
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
	mostGroups   = 50
	mostNear     = 50
	mostReasons  = 40
	mostExamples = 20 // of a reason
	mostDrawn    = 40 // of all reasons, but at least one of each
	mostKeys     = 50
	mostIDs      = 500 // bytes of both ids in a command
)

// A session holds the data that one run has read so far.
type session struct {
	e    *tool.Env
	opt  *Options
	page report.Page
	decisions
	edges dupgroup.Edges
	old   bitset.Set // old records, by the numbers of their ids in edges
	least float64    // of all scores
	texts
}

// Run writes the page.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if len(operands) > 0 {
		return tool.UsageError("want no operands, not %q: give the records by --records", operands[0])
	}
	r := &session{e: e, opt: o, texts: texts{byID: map[string]*text{}, parts: map[string][]*text{}}}
	r.ordinal = o.Ordinals || o.Records.ID == "" && !o.Records.WithFilename
	for _, step := range []func() error{r.readDecisions, r.readScores, r.readKeys, r.readMeasured, r.readRecords, r.readOld, r.checkRead, r.tryThresholds} {
		if err := step(); err != nil {
			return err
		}
	}
	for n := 0; n <= 100 && o.Bands.B > 0; n += 2 {
		j := float64(n) / 100
		r.page.Promise = append(r.page.Promise, report.Chance{Similarity: j, Share: o.Bands.Chance(j)})
	}
	r.page.Run = report.Run{Command: o.Command, Chain: o.Chain, Version: tool.Built(), Seconds: o.Seconds}
	if o.Command == "" {
		run := *o
		run.OutputName, run.NoSync, run.Jobs, run.Watch, run.Seconds = "", false, 0, flags.Display{}, 0
		run.Data, run.Against, run.Scores = r.names(o.Data), r.names(o.Against), r.names(o.Scores)
		for _, name := range []*string{&run.Decisions, &run.Measured, &run.Shared} {
			*name = r.shownName(*name)
		}
		r.page.Command = msg.Command("dupreport", run.Args()...)
	}
	return r.page.Write(e.Out)
}
