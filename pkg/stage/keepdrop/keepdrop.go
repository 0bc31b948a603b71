// Package keepdrop applies a list of verdicts to a dataset.
//
// See man/keepdrop.1.
package keepdrop

import (
	"github.com/spf13/pflag"

	"doppel/pkg/record"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/tool"
)

// options are the values of the flags.
type options struct {
	keep, drop, decisions string
	column                int
	removed               string
	stats                 string
	cut                   bool
}

// Command returns the tool.
func Command() *tool.Command {
	var o options
	return tool.Adapt(&tool.Old{
		Name:    "keepdrop",
		Summary: "apply a keep or drop list to records",
		Usage:   "[FILE...]",
		Shared:  tool.Records | tool.Jobs | tool.KeepGoing | tool.Output | tool.Watch,
		Flagger: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.decisions, "decisions", "", "apply the decisions in `LIST`")
			fs.StringVar(&o.keep, "keep", "", "keep the records whose ids are in `LIST`, and no others")
			fs.StringVar(&o.drop, "drop", "", "drop the records whose ids are in `LIST`")
			fs.IntVar(&o.column, "column", 1, "the ids are in column `N` of a keep or drop list")
			fs.BoolVar(&o.cut, "cut", false, "the ids are of parts, which are cut out of their records")
			fs.StringVar(&o.removed, "removed", "", "write what was removed, and why, to `FILE` as JSON lines")
			fs.StringVar(&o.stats, "stats", "", "write the counts to `FILE` as a JSON object")
		},
		Runner: func(e *tool.Env, args []string) error { return run(e, &o, args) },
	})
}

func run(e *tool.Env, o *options, args []string) error {
	l, err := readList(e, o)
	if err != nil {
		return err
	}
	a, err := newAudit(e, o, l)
	if err != nil {
		return err
	}
	if a == nil && !o.cut {
		e.Records.Fields, e.Records.NoText = nil, true
	}
	rd, err := record.NewReader(e.Input(args), e.Records)
	if err != nil {
		return err
	}
	k, sink := &keeper{list: l, audit: a}, record.NewSink(rd, e.Out)
	if o.cut {
		err = cutRecords(e, rd, k, sink)
	} else {
		err = tool.KeepRecords(e, rd, sink, k.record)
	}
	if err != nil {
		return err
	}
	if err := sink.Close(); err != nil {
		return err
	}
	if err := a.close(); err != nil {
		return err
	}
	l.reportUnmet(e)
	return e.WriteStats(o.stats, k.kept, k.dropped)
}
