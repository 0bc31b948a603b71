package pipeline

import (
	"strings"

	"github.com/spf13/pflag"

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
}

// any reports whether anything is kept.
func (v *Evidence) any() bool {
	return v.Scores != "" || v.Decisions != "" || v.Groups != "" || v.Annotate || v.IDs || v.Report.File != ""
}

// check refuses lists that cannot be read again: the decisions, and the scores except
// in Parquet, are both kept and used.
func (v *Evidence) check() error {
	if v.Decisions != "" && once(v.Decisions) {
		return tool.UsageError("--decisions %s is read again: want a file", v.Decisions)
	}
	if v.Scores != "" && !isParquet(v.Scores) && once(v.Scores) {
		return tool.UsageError("--scores %s is read again: want a file", v.Scores)
	}
	return nil
}

// A decided is a plan that ends with decisions, and the names of their list and of
// the scored pairs, if those are at hand.
type decided struct {
	plan   Plan
	list   Word
	scores []Word
}

// scoredBy returns it with the name of the scored pairs.
func (d decided) scoredBy(scores Word) decided {
	d.scores = []Word{scores}
	return d
}

// listed ends a plan with the chain that writes the decisions.
func (f *Fuzzy) listed(p Plan, chain ...Stage) decided {
	if f.Evidence.Decisions == "" || f.Job.dry() {
		list := &Scratch{}
		return decided{plan: append(p, Step{stages: chain, into: list}), list: Word{scratch: list}}
	}
	last := len(chain) - 1
	chain[last] = stage(chain[last].program, further(f.Evidence.Decisions), chain[last].words)
	return decided{plan: append(p, Step{stages: chain}), list: Word{output: f.Evidence.Decisions, reads: true}}
}

// listing returns the step that lists the groups, if that is wanted.
func (f *Fuzzy) listing(data []Word, list Word) Plan {
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
func (f *Fuzzy) scoring(data []Word) decided {
	score, held := f.verify(data), &Scratch{}
	inHand := Word{scratch: held}
	pairs := []Stage{f.sign(data), f.pair(), score}
	name := f.Evidence.Scores
	switch {
	case f.Evidence.Report.File != "" && (f.Job.dry() || name == ""):
		return f.listed(Plan{{stages: pairs, into: held}}, f.group(data).on([]Word{inHand})).scoredBy(inHand)
	case f.Job.dry():
		return f.listed(nil, append(pairs, f.group(data))...)
	case isParquet(name):
		pairs[2] = score.with(plain("--json"))
		p := Plan{{stages: pairs, into: held}, {stages: []Stage{stage("reccat", plain("--like="+scored), further(name)).on([]Word{inHand})}}}
		return f.listed(p, f.group(data).on([]Word{inHand})).scoredBy(inHand)
	case isObjects(name):
		pairs[2] = score.with(plain("--json"))
	}
	pairs[2] = pairs[2].with(further(name))
	kept := Word{output: name, reads: true}
	return f.listed(Plan{{stages: pairs}}, f.group(data).on([]Word{kept})).scoredBy(kept)
}

// further makes a word of -o of a stage whose output is none of the data, so that it
// must not replace any.
func further(name string) []Word { return []Word{{text: "--output=", output: name}} }

// scored has the columns of a scored pair, for Parquet of none.
const scored = `{"a":"","b":"","score":0.5,"containment_a":0.5,"containment_b":0.5,"size_a":1,"size_b":1}`

func isParquet(name string) bool { return strings.HasSuffix(name, ".parquet") }

// isObjects reports whether a name is one of JSON lines, compressed or not.
func isObjects(name string) bool {
	for _, end := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, end)
	}
	return strings.HasSuffix(name, ".jsonl")
}
