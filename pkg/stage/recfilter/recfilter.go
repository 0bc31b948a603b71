// Package recfilter judges records by the quality and the language of their texts.
//
// See man/recfilter.1.
package recfilter

import (
	"github.com/spf13/pflag"

	"doppel/pkg/record"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/tool"
)

// options are the values of the flags.
type options struct {
	apply, score bool
	stats        string
	quality      qualityFlags
	language     languageFlags
}

// Command returns the tool.
func Command() *tool.Command {
	var o options
	return tool.Adapt(&tool.Old{
		Name:    "recfilter",
		Summary: "judge records by the quality and the language of their texts",
		Usage:   "[FILE...]",
		Shared:  tool.Records | tool.JSON | tool.Jobs | tool.KeepGoing | tool.Output | tool.Watch,
		Flagger: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.apply, "apply", false, "write the records that pass, not decisions")
			fs.BoolVar(&o.score, "score", false, "write every metric of each record, and judge nothing")
			o.quality.register(fs)
			o.language.register(fs)
			fs.StringVar(&o.stats, "stats", "", "write the counts to `FILE` as a JSON object")
		},
		Runner: func(e *tool.Env, args []string) error { return run(e, &o, args) },
	})
}

func run(e *tool.Env, o *options, args []string) error {
	if o.apply && (o.score || e.JSON) {
		return tool.UsageError("--apply writes records as they came, so --score and --json exclude it")
	}
	j, err := newJudge(o)
	if err != nil {
		return err
	}
	rd, err := record.NewReader(e.Input(args), e.Records)
	if err != nil {
		return err
	}
	if o.score {
		return tool.MapRecords(e, rd, func() func([]byte, *record.Record) ([]byte, error) { return scoring(e.JSON) })
	}
	return judgeAll(e, rd, j, o)
}
