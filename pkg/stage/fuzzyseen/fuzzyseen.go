// Package fuzzyseen reports whether a fuzzy sum, or one close to it, was seen before.
//
// See man/fuzzyseen.1.
package fuzzyseen

import (
	"bufio"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/fuzzysum"
	"doppel/pkg/seen"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say how sums are looked up, and which lines are written.
type Options struct {
	flags.Common
	Max      flagset.Size // maximum size of the cache in bytes, seen.MinBytes to seen.MaxBytes
	Distance int          // number of bits, 0 to 128, in which two sums may differ and still count as the same
	Filter   bool         // write the lines whose sums were not seen
	Invert   bool         // write the lines whose sums were seen
	Look     bool         // do not change the cache
}

// Default returns the options that apply if no flags are given.
func Default() Options { return Options{Max: 122880, Distance: 2} }

// epilog follows the flags in the help. It describes the cache and standard input.
const epilog = `CACHE is a file that holds the sums seen before; it is made if there is none.
The sum on standard input, from fuzzysum, is looked up in CACHE, and added to it
if it is new. With --filter or --invert, this is done for each line, and CACHE
can be left out: a sum is then new if no earlier line had it.
Exit status: 0 if the sum was seen before, 1 if it is new, 2 on an error; with
--filter or --invert, 0 on success.
`

// Command returns a new description of this program, with default options.
func Command() *tool.Command {
	c := tool.New("fuzzyseen", "tell whether a fuzzy checksum was seen before", "[CACHE]", Default)()
	c.Epilog, c.OwnStdin = epilog, true
	return c
}

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.VarP(&o.Max, "max", "D", "let the cache grow to `SIZE` bytes")
	fs.IntVarP(&o.Distance, "distance", "d", o.Distance, "let equal sums differ in at most `BITS` bits")
	fs.BoolVarP(&o.Filter, "filter", "f", o.Filter, "copy only the lines whose sum was not seen before")
	fs.BoolVarP(&o.Invert, "invert", "v", o.Invert, "with --filter: instead, copy the lines whose sum was seen")
	fs.BoolVarP(&o.Look, "look", "n", o.Look, "look up only, and store nothing")
	o.Common.Flags(fs, flags.Null|flags.KeepGoing)
}

// Check rejects invalid values.
func (o *Options) Check() error {
	switch {
	case o.Distance < 0 || o.Distance > fuzzysum.Buckets:
		return tool.UsageError("--distance %d: want 0 to %d", o.Distance, fuzzysum.Buckets)
	case o.Max < seen.MinBytes || o.Max > seen.MaxBytes:
		return tool.UsageError("--max %v: want %d to %d", &o.Max, seen.MinBytes, seen.MaxBytes)
	}
	return nil
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(o.Look, "with --look", "max")
	return i
}

// Run looks up the sums on standard input in the cache file that the operand names.
func (o *Options) Run(e *tool.Env, operands []string) error {
	filter := o.Filter || o.Invert
	if len(operands) > 1 || len(operands) == 0 && !filter {
		return tool.UsageError("want the name of a cache file, or --filter for lines")
	}
	c := &checker{env: e, options: o, path: append(operands, "")[0]}
	if filter {
		return c.filterLines(bufio.NewReaderSize(e.Stdin, 1<<16))
	}
	return c.checkOne(e.Stdin)
}
