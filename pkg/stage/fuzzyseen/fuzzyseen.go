// Package fuzzyseen tells whether a fuzzy sum, or one close to it, was seen before.
//
// See man/fuzzyseen.1.
package fuzzyseen

import (
	"bufio"

	"github.com/spf13/pflag"

	"doppel/pkg/fuzzysum"
	"doppel/pkg/seen"
	"doppel/pkg/tool"
)

// options are the values of all flags.
type options struct {
	max      tool.Size
	distance int
	filter   bool
	invert   bool
	look     bool
}

// Command returns the tool.
func Command() *tool.Command {
	o := options{max: 122880, distance: 2}
	return tool.Adapt(&tool.Old{
		Name:    "fuzzyseen",
		Summary: "tell whether a fuzzy checksum was seen before",
		Usage:   "[CACHE]",
		Shared:  tool.Null | tool.KeepGoing,
		Flagger: func(fs *pflag.FlagSet) {
			fs.VarP(&o.max, "max", "D", "let the cache grow to `SIZE` bytes")
			fs.IntVarP(&o.distance, "distance", "d", o.distance, "call sums the same that differ in at most `BITS` bits")
			fs.BoolVarP(&o.filter, "filter", "f", false, "pass on the lines whose sum was not seen")
			fs.BoolVarP(&o.invert, "invert", "v", false, "pass on the lines whose sum was seen instead")
			fs.BoolVarP(&o.look, "look", "n", false, "look only: store nothing")
		},
		Runner: func(e *tool.Env, args []string) error { return run(e, &o, args) },
	})
}

func run(e *tool.Env, o *options, args []string) error {
	filter := o.filter || o.invert
	switch {
	case o.distance < 0 || o.distance > fuzzysum.Buckets:
		return tool.UsageError("--distance %d: want 0 to %d", o.distance, fuzzysum.Buckets)
	case o.max < seen.MinBytes:
		return tool.UsageError("--max %d: want %d or more", o.max, seen.MinBytes)
	case len(args) > 1 || len(args) == 0 && !filter:
		return tool.UsageError("expected one CACHE")
	}
	c := &checker{env: e, options: o, cache: seen.New(append(args, "")[0], int64(o.max))}
	if filter {
		return c.filter(bufio.NewReaderSize(e.Stdin, 1<<16))
	}
	return c.single(e.Stdin)
}
