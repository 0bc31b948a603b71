// Package blockhash hashes the head, middle and tail blocks of files.
//
// See man/blockhash.1.
package blockhash

import (
	"github.com/spf13/pflag"

	"doppel/pkg/filesum"
	"doppel/pkg/tool"
)

// Command returns the tool.
func Command() *tool.Command {
	var (
		names tool.Files
		how   hashing
		out   rows
	)
	return tool.Adapt(&tool.Old{
		Name:    "blockhash",
		Summary: "hash the head, middle and tail blocks of files",
		Usage:   "[FILE...]",
		Shared:  tool.Null | tool.JSON | tool.Jobs | tool.Output | tool.Watch,
		Flagger: func(fs *pflag.FlagSet) {
			how.flags(fs)
			out.flags(fs)
			tool.FileFlags(fs, &names)
		},
		Runner: func(e *tool.Env, args []string) error {
			options, err := how.options(names.Links())
			if err != nil {
				return err
			}
			source, err := e.FileNames(&names, args)
			if err != nil {
				return err
			}
			if err := out.begin(e, &options); err != nil {
				return err
			}
			return filesum.Each(source, e.Jobs, &options, out.write)
		},
	})
}
