package pipeline

import (
	"cmp"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/record/dataform"
	"doppel/pkg/tool"
)

// Evidence is what is kept of how a dataset was decided. Records are named by their
// ordinals there.
type Evidence struct {
	Scores    string // where the scored pairs are written; a Parquet file by its name
	Decisions string // where the decisions are written
	Groups    string // where the groups are listed, for people to read
	Annotate  bool   // no record is removed: they are told of it
	IDs       bool   // the ids of what is kept are written, not the records
	Measured  string // what doppel measure wrote, for the report
	Report    Report
}

// Flags registers the flags.
func (v *Evidence) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&v.Scores, "scores", v.Scores, "keep the scored pairs in `FILE`, of Parquet or .jsonl by its name, for doppel cut")
	fs.StringVar(&v.Decisions, "decisions", v.Decisions, "keep the decisions in `FILE`")
	fs.StringVar(&v.Groups, "groups", v.Groups, "list the groups of what is alike in `FILE`, as doppel groups does")
	fs.BoolVar(&v.IDs, "ids", v.IDs, "write the ids of the records that are kept, not the records")
	fs.BoolVar(&v.Annotate, "annotate", v.Annotate, "write all records, with fields that tell which of them are duplicates, and of which")
	v.Report.Flags(fs)
	fs.StringVar(&v.Measured, "measured", v.Measured, "have the report show the curve of `FILE`, which doppel measure wrote")
}

// any reports whether anything is kept.
func (v *Evidence) any() bool {
	return v.Scores != "" || v.Decisions != "" || v.Groups != "" || v.Annotate || v.IDs || v.Report.File != ""
}

// check refuses lists that cannot be read again: the decisions, and the scores except
// in Parquet, are both kept and used.
func (v *Evidence) check() error {
	if err := cmp.Or(dataform.CheckOutput(v.Scores), checkLists(v.Decisions, v.Groups)); err != nil {
		return err
	}
	switch {
	case v.Decisions != "" && once(v.Decisions):
		return tool.UsageError("--decisions %s is read again: want a file", v.Decisions)
	case v.Scores != "" && !isParquet(v.Scores) && once(v.Scores):
		return tool.UsageError("--scores %s is read again: want a file", v.Scores)
	case v.Report.File == "" && v.Measured != "":
		return tool.UsageError("--measured needs --report")
	}
	return v.Report.Check()
}

// checkLists refuses names of lists that stand for something else.
func checkLists(a, b string) error {
	return cmp.Or(dataform.CheckLines(a), dataform.CheckLines(b))
}

// A decidingPlan is a plan that ends with decisions, and the names of their list and of
// the scored pairs, if those are at hand.
type decidingPlan struct {
	plan   Plan
	list   []word
	scores []word
	keys   *scratch // the commonest keys, for a report; or nil
}

// listed ends a plan with the chain that writes the decisions.
func (f *Fuzzy) listed(p Plan, chain ...Stage) decidingPlan {
	if f.Evidence.Decisions == "" || f.Job.dry() {
		list := &scratch{}
		return decidingPlan{plan: append(p, step{stages: chain, into: list}), list: []word{{scratch: list}}}
	}
	last := len(chain) - 1
	chain[last] = stage(chain[last].program, further(f.Evidence.Decisions), chain[last].words)
	return decidingPlan{plan: append(p, step{stages: chain}), list: []word{{output: f.Evidence.Decisions, reads: true}}}
}

// listing returns the step that lists the groups, if that is wanted.
func (f *Fuzzy) listing(data, list []word) Plan {
	name := f.Evidence.Groups
	if name == "" || f.Job.dry() {
		return nil
	}
	show := further(name)
	if isObjects(name) {
		show = append(plain("--json"), show...)
	}
	return Plan{f.grouped(data, list, show)}
}

// scoring is the plan that keeps the scored pairs, if only until there is a report,
// and decides by them.
func (f *Fuzzy) scoring(data []word) decidingPlan {
	d := f.scored(data)
	d.keys = d.plan[0].beside
	return d
}

// scored is that plan, whose first step lists the commonest keys if there is a report.
func (f *Fuzzy) scored(data []word) decidingPlan {
	name, report := f.Evidence.Scores, f.Evidence.Report.File != ""
	pairs := f.scoringStep(data, report)
	switch {
	case report && (f.Job.dry() || name == ""):
		pairs.into = &scratch{}
		return f.byScores(Plan{pairs}, data, word{scratch: pairs.into})
	case f.Job.dry():
		return f.listed(nil, append(pairs.stages, f.group(data))...)
	case isParquet(name):
		pairs.into = &scratch{}
		pairs.stages[2] = pairs.stages[2].with(plain("--json"))
		held := word{scratch: pairs.into}
		copied := stage("reccat", plain("--like="+scoredPair), further(name)).on([]word{held})
		return f.byScores(Plan{pairs, {stages: []Stage{copied}}}, data, held)
	case isObjects(name):
		pairs.stages[2] = pairs.stages[2].with(plain("--json"))
	}
	pairs.stages[2] = pairs.stages[2].with(further(name))
	return f.byScores(Plan{pairs}, data, word{output: name, reads: true})
}

// scoringStep returns the chain that scores, which lists the commonest keys if a report
// is to show them.
func (f *Fuzzy) scoringStep(data []word, report bool) step {
	s := step{stages: []Stage{f.sign(data), f.pair(), f.verify(data)}}
	if report {
		s.beside = &scratch{}
		s.stages[1] = s.stages[1].with(from("common", s.beside))
	}
	return s
}

// byScores ends a plan with the stage that decides by scores.
func (f *Fuzzy) byScores(p Plan, data []word, scores word) decidingPlan {
	d := f.listed(p, f.group(data).on([]word{scores}))
	d.scores = []word{scores}
	return d
}

// further makes a word of -o of a stage whose output is none of the data, so that it
// must not replace any.
func further(name string) []word { return []word{{text: "--output=", output: name}} }

// scoredPair has the columns of a scored pair, for Parquet of none.
const scoredPair = `{"a":"","b":"","score":0.5,"containment_a":0.5,"containment_b":0.5,"size_a":1,"size_b":1}`

func isParquet(name string) bool { return strings.HasSuffix(name, ".parquet") }

// isObjects reports whether a name is one of JSON lines, compressed or not.
func isObjects(name string) bool {
	for _, end := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, end)
	}
	return strings.HasSuffix(name, ".jsonl")
}
