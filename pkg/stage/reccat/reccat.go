// Package reccat copies, counts, samples and converts records.
//
// See man/reccat.1.
package reccat

import (
	"fmt"

	"github.com/spf13/pflag"

	"doppel/pkg/record"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/tool"
)

// options are the values of the flags.
type options struct {
	head, sample int64 // -1: all
	seed         uint64
	count, lines bool
	to           string
}

// Command returns the tool.
func Command() *tool.Command {
	var o options
	return tool.Adapt(&tool.Old{
		Name:    "reccat",
		Summary: "copy, count, sample and convert records",
		Usage:   "[FILE...]",
		Shared:  tool.Output | tool.Watch,
		Flagger: func(fs *pflag.FlagSet) {
			fs.Int64VarP(&o.head, "head", "n", -1, "copy the first `N` records, and read no further")
			fs.BoolVarP(&o.count, "count", "c", false, "print the number of records instead")
			fs.Int64Var(&o.sample, "sample", -1, "copy `N` records drawn at random")
			fs.Uint64Var(&o.seed, "seed", 1, "draw by the seed `S`")
			fs.StringVar(&o.to, "to", "", "write `FORMAT`: jsonl, gz, zst or parquet")
			fs.BoolVar(&o.lines, "lines", false, "inputs are lines, even if they look like Parquet")
		},
		Runner: func(e *tool.Env, args []string) error { return run(e, &o, args) },
	})
}

func run(e *tool.Env, o *options, args []string) error {
	if o.head >= 0 && o.sample >= 0 || o.count && o.sample >= 0 {
		return tool.UsageError("--sample excludes --head and --count")
	}
	rd, err := record.NewReader(e.Input(args), record.Options{Lines: o.lines, NoText: true})
	if err != nil {
		return err
	}
	if o.count {
		n, err := count(e, rd, o.head)
		fmt.Fprintln(e.Out, n)
		return err
	}
	sink, err := newSink(e, o, rd)
	if err != nil {
		return err
	}
	if o.sample >= 0 {
		err = sample(e, rd, sink, o)
	} else {
		err = head(e, rd, sink, o.head)
	}
	if err != nil {
		return err
	}
	return sink.Close()
}
