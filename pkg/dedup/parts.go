package dedup

import (
	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/plan/parts"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/keypairs"
	"doppel/pkg/stage/lshkeys"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
)

// leavesKept is a hint that tells the user where a run in parts writes the kept records.
const leavesKept = "the printed chain writes the kept records of each shard to the directory kept, under the shard's name"

// errFormat returns the error for an output format in a makefile, whose results have the names of the
// shards.
func errFormat() error {
	return msg.WithHint(tool.UsageError("--to applies only to a run in one process, not in parts: each result has the name and format of its shard"), "convert the results: reccat --to FORMAT -o DIR/ kept")
}

// NotMade returns the error for -k (--keep-going) in a run in parts. A stage that skips bad records
// exits with an error status, and make treats that as a failure.
func NotMade() error {
	return msg.WithHint(tool.UsageError("-k applies only to a run in one process, not in parts: make treats a target with a bad record as failed"), "remove bad records first; {recsign} reports them")
}

// A given names an option, and says whether it was given.
type given struct {
	flag string
	is   bool
}

// inOneProcess returns an error for the first option that was given, because a run in parts cannot
// carry the options in the list.
func inOneProcess(options []given) error {
	for _, o := range options {
		if o.is {
			return msg.WithHint(tool.UsageError("--%s applies only to a run in one process, not in parts", o.flag), leavesKept)
		}
	}
	return nil
}

// parts returns the plan that processes the shards in parts, or an error if an option needs a run
// in one process.
func (f *Fuzzy) parts(shards []string) (*parts.Plan, error) {
	switch {
	case f.KeepGoing && f.Job.Print != plan.JSON:
		return nil, NotMade()
	case f.Apply.To != "" && f.Job.Print.InParts():
		return nil, errFormat()
	}
	v := &f.Evidence
	if err := inOneProcess([]given{
		{"output", f.Apply.OutputName != ""}, {"removed", f.Apply.Removed != ""}, {"expect", f.Records.Expect > 0},
		{"against", len(f.Old.Against) > 0}, {"save", f.Old.Save != ""}, {"split", f.splits()},
		{"scores", v.Scores != ""}, {"decisions", v.Decisions != ""}, {"groups", v.Groups != ""}, {"ids", v.IDs}, {"annotate", v.Annotate}, {"report", v.Report.File != ""},
	}); err != nil {
		return nil, err
	}
	keys, pairs := lshkeys.Default(), keypairs.Default()
	keys.Keys, pairs.Pairing, pairs.Unsorted = f.pair().Options.(*lshpairs.Options).Keys, f.Pair.Pairing, true
	if f.Mem > 0 {
		pairs.Mem = f.Mem
	}
	texts, verify := keepdrop.Default(), jaccard.Default()
	f.share(&texts.Common)
	f.share(&verify.Common)
	texts.IDs, texts.Records.Within = true, f.Records.Within
	verify.Text, verify.Threshold = f.Text, f.Pair.Keys.Threshold
	verify.Records, verify.KeepGoing = jaccard.Default().Records, false
	verify.Records.Within = f.Records.Within
	p := &parts.Plan{Command: "doppel fuzzy", Shards: shards, N: f.Job.Parts}
	p.Sign, p.Keys, p.Pairs = byFile(f.sign()), plan.Tool("lshkeys", &keys), plan.Tool("keypairs", &pairs)
	p.Texts, p.Verify = new(byFile(plan.Tool("keepdrop", &texts))), new(plan.Tool("jaccard", &verify))
	apply := f.Apply
	f.share(&apply.Common)
	p.Decide, p.Apply = f.group(shards), applied(apply)
	countCopies(p.Decide, &apply.Sizes)
	if f.Decide.NeedsRecords() {
		p.Decide = byFile(p.Decide)
	}
	return p, nil
}

// parts returns the plan that processes the shards in parts, or an error if an option needs a run
// in one process. Records with equal hashes are considered equal, so no step compares their texts.
func (x *Exact) parts(shards []string) (*parts.Plan, error) {
	u := &x.Unique
	switch {
	case u.KeepGoing && x.Job.Print != plan.JSON:
		return nil, NotMade()
	case u.To != "" && x.Job.Print.InParts():
		return nil, errFormat()
	}
	if err := inOneProcess([]given{
		{"count", u.Count}, {"duplicates", u.Duplicates}, {"verify", u.Verify}, {"against", u.Against != ""}, {"save", u.Save != ""},
		{"output", u.OutputName != ""}, {"expect", u.Records.Expect > 0},
		{"removed", x.Removed != ""}, {"decisions", x.Decisions != ""}, {"report", x.Report.File != ""},
	}); err != nil {
		return nil, err
	}
	apply, pairs, decide := keepdrop.Default(), keypairs.Default(), x.group(shards)
	group := decide.Options.(*dupgroup.Options)
	group.Equal, group.Seen = false, u.Seen
	if x.readsRank() {
		decide = byFile(decide)
	}
	apply.Common, apply.Mem, apply.Sizes, pairs.Unsorted = u.Common, 0, u.Sizes, true
	apply.Records = x.records(u.Records)
	apply.Cut, apply.MinLeft = x.splits(), u.MinLeft
	countCopies(decide, &apply.Sizes)
	return &parts.Plan{
		Command: "doppel exact", Shards: shards, N: x.Job.Parts,
		Sign: byFile(x.sign()), Keys: plan.Tool("lshkeys", new(lshkeys.Default())), Pairs: plan.Tool("keypairs", &pairs),
		Decide: decide, Apply: applied(apply),
	}, nil
}

// countCopies makes the deciding stage write the number of copies with each decision, if one of the
// size options needs that number. The stage that applies decisions to a shard reads only the
// decisions on the shard's records, so it cannot count copies.
func countCopies(decide plan.Stage, sizes *option.Sizes) {
	if sizes.Flag() != "" {
		decide.Options.(*dupgroup.Options).Counts = true
	}
}

// byFile makes a stage use ids of the form file:ordinal, and returns the stage.
func byFile(s plan.Stage) plan.Stage {
	s.Options.SharedOptions().Records.WithFilename = true
	return s
}

// applied returns the stage that applies the decisions to one shard. It sets Partial, because a
// decision can name a kept record of another shard.
func applied(o keepdrop.Options) plan.Stage {
	o.Partial, o.Records.ID, o.OutputName, o.Removed, o.Tree = true, "", "", "", false
	return byFile(plan.Tool("keepdrop", &o))
}
