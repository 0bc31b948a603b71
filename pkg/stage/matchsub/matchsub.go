// Package matchsub writes the substrings that the texts of pairs share.
//
// See man/matchsub.1.
package matchsub

import (
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/tool"
)

// Command returns the tool.
func Command() *tool.Command {
	var o options
	return tool.Adapt(&tool.Old{
		Name:    "matchsub",
		Summary: "write the substrings that the texts of pairs share",
		Usage:   "[PAIRS...]",
		Shared:  tool.Records | tool.JSON | tool.Jobs | tool.KeepGoing | tool.Output | tool.Watch,
		Flagger: o.register,
		Runner: func(e *tool.Env, args []string) error {
			if err := o.check(e); err != nil {
				return err
			}
			return run(e, &o, args)
		},
	})
}

func run(e *tool.Env, o *options, args []string) error {
	in, err := openPairs(e, args)
	if err != nil {
		return err
	}
	read := readFile
	if len(o.records) > 0 {
		if read, err = in.readRecords(e, o.records); err != nil {
			return err
		}
	}
	if o.header {
		writeHeader(e)
	}
	return in.each(e, newWork(e, o, read))
}
