// Package jaccard scores pairs by the similarity of their texts, or of their signatures.
//
// See man/jaccard.1.
package jaccard

import (
	"github.com/spf13/pflag"

	_ "doppel/pkg/record/parquet"
	"doppel/pkg/stages"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// options are the values of the flags.
type options struct {
	records, sigs []string
	threshold     float64
	containment   bool
	files         bool
	text          text.Options
}

// Command returns the tool.
func Command() *tool.Command {
	var o options
	return tool.Adapt(&tool.Old{
		Name:    "jaccard",
		Summary: "score pairs by the exact similarity of their texts",
		Usage:   "[PAIRS...]",
		Shared:  tool.Records | tool.JSON | tool.Jobs | tool.KeepGoing | tool.Output | tool.Watch,
		Mem:     512 << 20,
		Flagger: func(fs *pflag.FlagSet) {
			fs.StringSliceVar(&o.records, "records", nil, "take the texts from the records in `FILE`")
			fs.BoolVar(&o.files, "files", false, "the records are the files that --records lists")
			fs.StringSliceVar(&o.sigs, "sigs", nil, "estimate from the signatures in `FILE` instead")
			fs.Float64VarP(&o.threshold, "threshold", "t", 0, "write only pairs of similarity `T` or more")
			fs.BoolVar(&o.containment, "containment", false, "score by the larger containment, not by the similarity")
			stages.TextFlags(fs, &o.text)
		},
		Runner: func(e *tool.Env, args []string) error { return run(e, &o, args) },
	})
}

func run(e *tool.Env, o *options, args []string) error {
	if (len(o.records) == 0) == (len(o.sigs) == 0) {
		return tool.UsageError("want either --records or --sigs")
	}
	if !(0 <= o.threshold && o.threshold <= 1) {
		return tool.UsageError("--threshold %v: want 0 to 1", o.threshold)
	}
	p, err := readPairs(e, args)
	if err != nil {
		return err
	}
	if len(o.sigs) > 0 {
		return estimate(e, o, p)
	}
	return verify(e, o, p)
}
