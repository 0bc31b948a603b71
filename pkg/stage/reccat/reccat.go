// Package reccat copies, counts, samples and converts records.
//
// See man/reccat.1.
package reccat

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/record/write"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which records are copied, and in which format.
type Options struct {
	flags.Common        // if Records.Lines is set, inputs are read as lines
	Head         int64  // number of records to copy; -1 for all
	Count        bool   // print the number of records instead of copying them
	Sample       int64  // number of records to draw at random; -1 to copy all
	Seed         uint64 // random seed of the sample
	Like         string // a JSON object whose fields are columns of Parquet output; "" for none
}

// all, as a value of Head or Sample, means no limit.
const all = -1

// Default returns the options that apply if no flags are given.
func Default() Options { return Options{Head: all, Sample: all, Seed: 1} }

// Command returns a new description of this program, with default options.
var Command = tool.New("reccat", "copy, count, sample and convert records", "[FILE...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.Int64VarP(&o.Head, "head", "n", o.Head, "copy the first `N` records, then stop (default: all)")
	fs.BoolVarP(&o.Count, "count", "c", o.Count, "print the number of records instead")
	fs.Int64Var(&o.Sample, "sample", o.Sample, "copy `N` records drawn at random (default: all)")
	fs.Uint64Var(&o.Seed, "seed", o.Seed, "draw with the random seed `S`")
	fs.StringVar(&o.Like, "like", o.Like, "write the columns of the JSON `OBJECT` to Parquet, even if no record has them")
	fs.BoolVar(&o.Records.Lines, "lines", o.Records.Lines, "read inputs as lines, even if they look like Parquet")
	o.Common.InputFlags(fs)
	o.Common.Flags(fs, flags.InParts|flags.KeepGoing|flags.Dataset|flags.Watch)
	flagset.Assign(fs, flagset.Output, "head", "count", "sample", "seed", "like")
	flagset.Assign(fs, flagset.Input, "lines")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"csv", "encoding", "lines", "keep-going", "head", "count", "sample", "seed", "expect", "max-record", "output", "to"}
}

// Check rejects options that are invalid or cannot be used together.
func (o *Options) Check() error {
	switch {
	case o.Head < all:
		return tool.UsageError("--head %d: want 0 or more", o.Head)
	case o.Sample < all:
		return tool.UsageError("--sample %d: want 0 or more", o.Sample)
	case o.Sample != all && (o.Head != all || o.Count):
		return tool.UsageError("--sample cannot be used with --head or --count")
	case o.Sample == all && o.Seed != Default().Seed:
		return tool.UsageError("--seed needs --sample")
	case (o.Head != all || o.Count) && o.Directory():
		return tool.UsageError("--output %s: a directory, but --head and --count write to one file", o.OutputName)
	case o.Count && o.To != "":
		return tool.UsageError("--count writes no records, so it cannot be used with --to")
	}
	return nil
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(o.Sample == all, "without --sample", "seed")
	i.When(o.Count, "with --count", "to", "codec", "level")
	return i
}

// Run copies records of the operands, or prints their number.
func (o *Options) Run(e *tool.Env, operands []string) error {
	rd, err := record.NewReader(lineio.Input(e, operands), record.Options{Lines: o.Records.Lines, Sealed: o.Records.Lines, Dialect: o.Records.Dialect, MaxRecord: o.Records.MaxRecord, Expect: o.Records.Expect, NoText: true})
	if err != nil {
		return err
	}
	if o.Count {
		n := int64(0)
		if err := Head(e, rd, o.Head, func(*record.Record) error { n++; return nil }); err != nil {
			return err
		}
		_, err := fmt.Fprintln(e.Out, n)
		return err
	}
	sink, err := e.Sink(rd, dataform.JSONLines)
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

// errEnough stops the reading of records when no more are needed.
var errEnough = errors.New("enough")

// Head calls fn with the first n records, or with all if there are fewer or n is negative.
func Head(e *tool.Env, rd *record.Reader, n int64, fn func(*record.Record) error) error {
	if n == 0 {
		return nil
	}
	err := tool.EachRecord(e, rd, func(rec *record.Record) error {
		if err := fn(rec); err != nil {
			return err
		}
		if n--; n == 0 {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		return nil
	}
	return err
}

// sample copies n = o.Sample records drawn at random, in input order. It keeps a reservoir of n
// records in memory, in which the i-th record of the input replaces a random record with
// probability n/i (Waterman's algorithm R).
func sample(e *tool.Env, rd *record.Reader, sink *write.Sink, o *Options) error {
	random := rand.New(rand.NewPCG(o.Seed, 0))
	var drawn []record.Record
	err := tool.EachRecord(e, rd, func(rec *record.Record) error {
		at := int64(len(drawn))
		switch {
		case at < o.Sample:
			drawn = append(drawn, record.Record{})
		default:
			at = random.Int64N(rec.Ordinal + 1)
		}
		if at < o.Sample {
			drawn[at].Ordinal, drawn[at].Raw = rec.Ordinal, bytes.Clone(rec.Raw)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(drawn, func(a, b record.Record) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
	for i := range drawn {
		if err := sink.Keep(&drawn[i]); err != nil {
			return err
		}
	}
	return nil
}
