// Package jaccard scores pairs by the similarity of their texts, or by an estimate from their
// signatures.
//
// See man/jaccard.1.
package jaccard

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/record"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/stage/pairsets"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say how pairs are scored. Exactly one of Data, Extracts and Sigs must be set.
type Options struct {
	flags.Common
	Data        []string       // files of records or, with Files, lists of the names of text files
	Files       bool           // each text is a file, whose id is its name
	Extracts    []string       // files whose lines each contain an id and a text
	Sigs        []string       // files of signatures, from which scores are estimated
	Against     []string       // files of old records or, with Sigs, of their signatures
	Old         option.Old     // how old records are read
	Threshold   float64        // minimum score of the pairs to write, from 0 to 1
	Containment bool           // score by the larger containment, not by similarity
	Apart       bool           // mark the pairs as pairs of records with different values of recsign --across
	Split       text.Splitting // kind of parts that the ids name; by default, ids name whole texts
	Text        option.Text    // how shingle sets are made from texts
}

// Default returns the options that apply if no flags are given. With these options, every pair is
// written.
func Default() Options {
	return Options{
		Common: flags.Common{Mem: 512 << 20, Records: record.Options{Fields: []string{flags.Text}}},
		Text:   option.DefaultText(),
	}
}

// Command returns a new description of this program, with default options.
var Command = tool.New("jaccard", "score pairs by the exact similarity of their texts", "[PAIRS...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.Data, "records", o.Data, "read the texts from the records in `FILE`; may be repeated")
	fs.BoolVar(&o.Files, "files", o.Files, "read lists of file names from --records; each named file is a record")
	fs.StringArrayVar(&o.Extracts, "texts", o.Extracts, "read the texts from `FILE`, written by keepdrop --ids; may be repeated")
	fs.StringArrayVar(&o.Sigs, "sigs", o.Sigs, "estimate similarities from the signatures in `FILE`; may be repeated")
	fs.StringArrayVar(&o.Against, "against", o.Against, "read the old records of the pairs from `OLD`; OLD has records, or with --sigs signatures; may be repeated")
	o.Old.Flags(fs)
	fs.Float64VarP(&o.Threshold, "threshold", "t", o.Threshold, "write only pairs of similarity `T` or more; T is from 0 to 1")
	fs.BoolVar(&o.Containment, "containment", o.Containment, "score by the larger containment, not by similarity")
	fs.StringVar(&o.Records.Within, "within", o.Records.Within, "score pairs whose records have different values at this `PATH` as 0; with --texts, the value is the third column of its lines")
	fs.BoolVar(&o.Apart, "apart", o.Apart, "mark the pairs for dupgroup as pairs from recsign --across")
	fs.Var(&o.Split, "split", "score pairs of `PARTS` of the texts, split as by recsign --split")
	o.Text.Flags(fs)
	o.Common.Flags(fs, flags.Records|flags.InParts|flags.Memory|flags.JSON|flags.Header|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Duplicates, "threshold", "containment", "within", "split")
	flagset.Assign(fs, flagset.Input, "records", "files", "texts", "sigs", "against", "against-field", "against-id")
	flagset.Assign(fs, flagset.Output, "apart")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"threshold", "shingle", "normalize", "containment", "records", "texts", "sigs", "against", "field", "output", "mem", "jobs"}
}

// Check rejects options that are invalid or cannot be used together.
func (o *Options) Check() error {
	switch {
	case !flags.OneOf(len(o.Data) > 0, len(o.Extracts) > 0, len(o.Sigs) > 0):
		return tool.UsageError("one of --records FILE and --texts FILE is required for exact scores, or --sigs FILE for estimates")
	case o.Files && len(o.Data) == 0:
		return tool.UsageError("--files needs --records")
	case o.Split != text.Unsplit && len(o.Data) == 0:
		return tool.UsageError("--split needs --records: other texts and signatures are split already")
	case len(o.Against) > 0 && (o.Files || len(o.Data)+len(o.Sigs) == 0):
		return tool.UsageError("--against needs --records or --sigs, and cannot be used with --files")
	case !(0 <= o.Threshold && o.Threshold <= 1):
		return tool.UsageError("--threshold %v: want 0 to 1", o.Threshold)
	}
	return option.CheckValues(&o.Records)
}

// Takes reports whether Run accepts the values of the previous stage, which must be pairs.
func (o *Options) Takes(values any) bool {
	_, ok := values.(pairs.Pairing)
	return ok
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	o.Old.Idle(&i, len(o.Against) > 0, &o.Records)
	i.When(len(o.Sigs) > 0, "with --sigs", "against-id")
	i.When(len(o.Sigs) > 0, "with --sigs", append([]string{"files", "apart", "within", "shingle", "normalize", "key"}, flags.RecordFlags...)...)
	i.When(o.Files, "with --files", append([]string{"within"}, flags.RecordFlags...)...)
	return i
}

// Run scores the pairs in the operands.
func (o *Options) Run(e *tool.Env, operands []string) error {
	p := &pairsets.Pairs{}
	defer p.Close()
	if err := p.Read(e, operands); err != nil {
		return err
	}
	if len(o.Sigs) > 0 {
		return estimate(e, o, p)
	}
	return verify(e, o, p)
}
