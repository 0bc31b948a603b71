// Package recfilter judges records by the quality and the language of their texts.
//
// See man/recfilter.1.
package recfilter

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options define the criteria for records and the output. If neither rules nor languages are given,
// the rules of the preset named default apply.
type Options struct {
	flags.Common
	Apply    bool // write the records that pass, not decisions
	Score    bool // write the metrics of each record, not decisions
	Quality  Quality
	Language Language
	Stats    string // file for the counts; "" for none
}

// Default returns the options that apply if no flags are given.
func Default() Options { return Options{Common: flags.OfText(), Language: defaultLanguage} }

// Command returns a new description of this program, with default options.
var Command = tool.New("recfilter", "judge records by the quality and the language of their texts", "[FILE...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.Apply, "apply", o.Apply, "write the records that pass, not decisions")
	fs.BoolVar(&o.Score, "score", o.Score, "write all metrics of each record instead of decisions")
	o.Quality.Flags(fs)
	o.Language.Flags(fs)
	fs.StringVar(&o.Stats, "stats", o.Stats, "write the counts to `FILE` as a JSON object")
	flags.MarkWritten(fs, "stats")
	o.Common.Flags(fs, flags.Records|flags.JSON|flags.Header|flags.Jobs|flags.KeepGoing|flags.Dataset|flags.Watch)
	flagset.Assign(fs, flagset.Output, "apply", "score")
	flagset.Assign(fs, flagset.Evidence, "stats")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"preset", "rule", "languages", "confidence", "min-length", "min-word-count", "field", "id", "apply", "score", "output", "jobs"}
}

// Args returns the command-line arguments that set these options.
func (o *Options) Args() []string { return flagset.Args(o, new(Default())) }

// Check rejects options that are invalid or cannot be used together.
func (o *Options) Check() error {
	l := o.Language
	languages := len(l.Languages) > 0 || l.Confidence != defaultLanguage.Confidence || l.MinTextLength != defaultLanguage.MinTextLength
	form, err := dataform.Of(o.OutputName, o.To)
	switch {
	case o.Apply && (o.Score || o.JSON):
		return tool.UsageError("--apply writes unchanged records, so it cannot be used with --score or --json")
	case !o.Apply && o.Directory():
		return tool.UsageError("--output %s: a directory, but decisions are written to one file: want --apply", o.OutputName)
	case !o.Apply && err == nil && form.Kind.Columns:
		return tool.UsageError("decisions cannot be written as Parquet: want --apply")
	case !o.Apply && o.To != "":
		return tool.UsageError("--to needs --apply, which writes records")
	case o.Score && (o.Quality.given() || languages):
		return tool.UsageError("--score writes metrics, not decisions, so it cannot be used with rules or languages")
	case o.Score && o.Stats != "":
		return tool.UsageError("--score writes metrics, not decisions, so it cannot be used with --stats")
	case !(0 <= l.Confidence && l.Confidence <= 1):
		return tool.UsageError("--confidence %v: want 0 to 1", l.Confidence)
	case l.MinTextLength < 0:
		return tool.UsageError("--min-text-length %d: want 0 or more", l.MinTextLength)
	case len(l.Languages) == 0 && languages:
		return tool.UsageError("--confidence and --min-text-length need --languages")
	}
	_, err = newJudge(o)
	return err
}

// ListsLines reports whether the run writes decisions or metrics, not records.
func (o *Options) ListsLines() bool { return !o.Apply }

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(len(o.Language.Languages) == 0, "without --languages", "confidence", "min-text-length")
	i.When(o.Apply, "with --apply", "id", "with-filename")
	i.When(!o.Apply, "without --apply", "to", "codec")
	return i
}

// Run judges the records of the operands or, with o.Score, writes their metrics.
func (o *Options) Run(e *tool.Env, operands []string) error {
	rd, err := record.NewReader(e.Input(operands), e.Records)
	if err != nil {
		return err
	}
	if !o.Apply {
		e.OneID(operands)
	}
	if o.Score {
		return writeScores(e, rd)
	}
	return o.judgeRecords(e, rd)
}
