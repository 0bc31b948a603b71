package dedup

import (
	"cmp"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/plan"
	"doppel/pkg/record/dataform"
	"doppel/pkg/stage/reccat"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Evidence holds the options for output that documents the decisions. The files of scored pairs and
// of decisions identify records by ordinal.
type Evidence struct {
	Scores    string // file for the scored pairs; Parquet or JSON lines if the name selects them
	Decisions string // file for the decisions
	Groups    string // file for the groups, as doppel groups writes them
	Report    Report
}

// Flags registers the flags of these options, except those of the report.
func (v *Evidence) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&v.Scores, "scores", v.Scores, "write the scored pairs to `FILE`, for doppel cut; the suffixes .parquet and .jsonl select these formats")
	fs.StringVar(&v.Decisions, "decisions", v.Decisions, "write the decisions to `FILE`")
	fs.StringVar(&v.Groups, "groups", v.Groups, "write the groups of similar records to `FILE`, as doppel groups does")
	flags.MarkWritten(fs, "scores", "decisions", "groups")
	flagset.Assign(fs, flagset.Evidence, "scores", "decisions", "groups")
}

// Any reports whether an option asks for evidence.
func (v *Evidence) Any() bool {
	return v.Scores != "" || v.Decisions != "" || v.Groups != "" || v.Report.File != ""
}

// CheckReread checks an output that a later stage reads, given its name and the flag that set it.
// It returns an error if the output cannot be read back, for example because it is a pipe.
func CheckReread(flag, name string) error {
	if name != "" && plan.ReadsOnce(name) {
		return tool.UsageError("--%s %s: want a file, because a later stage reads it", flag, name)
	}
	return nil
}

// CheckLists checks the names of two files to which lines are written. It returns an error if the
// suffix of a name, such as .parquet, selects another format.
func CheckLists(a, b string) error {
	return cmp.Or(dataform.CheckLines(a), dataform.CheckLines(b))
}

// scored adds the steps that make the decisions. With --scores, these steps also write the scored
// pairs to the named file. If only a report needs the pairs, the file is a scratch file.
func (f *Near) scored(b *plan.Builder, data []string) decided {
	name := f.Evidence.Scores
	if b.Dry {
		name = ""
	}
	if name == "" && f.Evidence.Report.File == "" {
		return f.listed(b, f.SignStage().On(data...), f.PairStage(), f.VerifyStage(data), f.GroupStage(data))
	}
	score := f.VerifyStage(data)
	out := score.Options.SharedOptions()
	out.JSON = IsParquet(name) || isObjects(name)
	pairs := plan.Step{Stages: []plan.Stage{f.SignStage().On(data...), f.PairStage(), score}}
	var scores string
	if name == "" || IsParquet(name) {
		pairs.Into = b.Scratch("")
		scores = pairs.Into.Path()
	} else {
		out.OutputName = b.Output(name, false)
		scores = out.OutputName
	}
	b.Add(pairs)
	if IsParquet(name) {
		o := reccat.Default()
		o.Like, o.OutputName = scoredPair, b.Output(name, false)
		b.Add(plan.Step{Stages: []plan.Stage{plan.Tool("reccat", &o).On(scores)}})
	}
	d := f.listed(b, f.GroupStage(data).On(scores))
	d.scores = []string{scores}
	return d
}

// scoredPair is a sample JSON object for a scored pair. Its members become the columns of the
// Parquet file, even if the run finds no pairs.
const scoredPair = `{"a":"","b":"","score":0.5,"containment_a":0.5,"containment_b":0.5,"size_a":1,"size_b":1}`

// IsParquet reports whether a file name selects Parquet, as the names of outputs of records do.
func IsParquet(name string) bool { return dataform.KindOf(name).Columns }

// isObjects reports whether a file name selects JSON lines.
func isObjects(name string) bool { return dataform.KindOf(name).Lines }
