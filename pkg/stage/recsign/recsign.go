// Package recsign signs records: it writes one short line by which each record can be
// compared with others.
//
// See man/recsign.1.
package recsign

import (
	"github.com/spf13/pflag"

	"doppel/pkg/record"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/stages"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// options are the values of all flags, of which each method takes its own.
type options struct {
	method    string
	text      text.Options
	shingle   bool // --shingle was given
	normalize bool // --normalize was given
	files     bool
	minhash   minhashOptions
	simhash   simhashOptions
	exact     exactOptions
	sample    sampleOptions
	split     text.Splitting
}

// Command returns the tool.
func Command() *tool.Command {
	var o options
	var set *pflag.FlagSet
	return tool.Adapt(&tool.Old{
		Name:    "recsign",
		Summary: "sign records, so that near and exact duplicates can be found",
		Usage:   "[FILE...]",
		Shared:  tool.Records | tool.Null | tool.JSON | tool.Jobs | tool.KeepGoing | tool.Output | tool.Watch,
		Flagger: func(fs *pflag.FlagSet) {
			set = fs
			fs.StringVarP(&o.method, "method", "m", "minhash", "sign by `METHOD`: minhash, simhash, sample or exact")
			stages.TextFlags(fs, &o.text)
			o.minhash.flags(fs)
			o.simhash.flags(fs)
			o.exact.flags(fs)
			o.sample.flags(fs)
			fs.Var(&o.split, "split", "sign the `PARTS` of each text: line or blank, for paragraphs")
			fs.BoolVar(&o.files, "files", false, "sign the files that are named, on standard input or as operands")
		},
		Runner: func(e *tool.Env, args []string) error {
			o.shingle, o.normalize = set.Changed("shingle"), set.Changed("normalize")
			o.simhash.begin(e)
			return run(e, &o, args)
		},
	})
}

func run(e *tool.Env, o *options, args []string) error {
	newMethod, ok := methods[o.method]
	if !ok {
		return tool.UsageError("no method %q", o.method)
	}
	m, err := newMethod(o)
	if err != nil {
		return err
	}
	in := e.Input(args)
	if o.files {
		in = fileInput(e, args)
	}
	if o.exact.whole {
		e.Records.Fields = nil
	}
	if o.split != text.Unsplit && len(e.Records.Fields) > 1 {
		return tool.UsageError("--split takes one field")
	}
	rd, err := record.NewReader(in, e.Records)
	if err != nil {
		return err
	}
	return tool.MapRecords(e, rd, func() func([]byte, *record.Record) ([]byte, error) {
		return split(o.split, signing(e, m))
	})
}
