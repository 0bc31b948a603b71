// Package reccat copies, counts, samples and converts records.
//
// See man/reccat.1.
package reccat

import (
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/record"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/stage/lines"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which records are copied, and in which format.
type Options struct {
	flags.Common        // its Records.Lines says that inputs are lines
	Head         int64  // how many records are read; -1 is all
	Count        bool   // the number of records is printed instead
	Sample       int64  // how many records are drawn at random; -1 is none: all are copied
	Seed         uint64 // of the draw
	Like         string // an object with the columns of Parquet that is made of no lines at all
}

// all is the number of records where none is given.
const all = -1

// Default returns the options of a run without flags.
func Default() Options { return Options{Head: all, Sample: all, Seed: 1} }

// Command returns the tool.
func Command() *tool.Command {
	return &tool.Command{
		Name:    "reccat",
		Summary: "copy, count, sample and convert records",
		Usage:   "[FILE...]",
		Options: new(Default()),
	}
}

// Flags registers the flags.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.Int64VarP(&o.Head, "head", "n", o.Head, "copy the first `N` records, and read no further")
	fs.BoolVarP(&o.Count, "count", "c", o.Count, "print the number of records instead")
	fs.Int64Var(&o.Sample, "sample", o.Sample, "copy `N` records drawn at random")
	fs.Uint64Var(&o.Seed, "seed", o.Seed, "draw by the seed `S`")
	fs.StringVar(&o.Like, "like", o.Like, "give Parquet the columns of the JSON `OBJECT`, even if no record has them")
	fs.BoolVar(&o.Records.Lines, "lines", o.Records.Lines, "inputs are lines, even if they look like Parquet")
	o.Common.InputFlags(fs)
	o.Common.Flags(fs, flags.KeepGoing|flags.Dataset|flags.Watch)
}

// Check refuses options that mean nothing, or exclude each other.
func (o *Options) Check() error {
	switch {
	case o.Head < all:
		return tool.UsageError("--head %d: want 0 or more", o.Head)
	case o.Sample < all:
		return tool.UsageError("--sample %d: want 0 or more", o.Sample)
	case o.Sample != all && (o.Head != all || o.Count):
		return tool.UsageError("--sample excludes --head and --count")
	case o.Sample == all && o.Seed != Default().Seed:
		return tool.UsageError("--seed needs --sample")
	case o.Count && o.To != "":
		return tool.UsageError("--count writes no records, so it excludes --to")
	}
	return nil
}

// Idle returns the flags that do nothing.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(o.Sample == all, "without --sample", "seed")
	i.When(o.Count, "with --count", "to", "codec", "level")
	return i
}

// Run copies the records.
func (o *Options) Run(e *tool.Env, operands []string) error {
	rd, err := record.NewReader(lines.Input(e, operands), record.Options{Lines: o.Records.Lines, Sealed: o.Records.Lines, CSV: o.Records.CSV, MaxRecord: o.Records.MaxRecord, Expect: o.Records.Expect, NoText: true})
	if err != nil {
		return err
	}
	if o.Count {
		return count(e, rd, o.Head)
	}
	sink, err := e.Sink(rd, "jsonl")
	if err != nil {
		return err
	}
	if o.Like != "" {
		sink.Like([]byte(o.Like))
	}
	if o.Sample != all {
		err = sample(e, rd, sink, o)
	} else {
		err = Head(e, rd, o.Head, sink.Keep)
	}
	if err != nil {
		return err
	}
	return sink.Close()
}

// count prints how many of the first records there are.
func count(e *tool.Env, rd *record.Reader, most int64) error {
	n := int64(0)
	if err := Head(e, rd, most, func(*record.Record) error { n++; return nil }); err != nil {
		return err
	}
	_, err := e.Out.WriteString(strconv.FormatInt(n, 10) + "\n")
	return err
}
