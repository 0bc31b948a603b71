package pipeline

import (
	"doppel/pkg/plan"
	"doppel/pkg/plan/parts"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/keypairs"
	"doppel/pkg/stage/lshkeys"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// leavesKept says where the parts go.
const leavesKept = "what is printed leaves what is kept of each shard in the directory kept, under its name"

// notMade refuses -k, by which a stage ends with trouble, and make takes it for failed.
func notMade() error {
	return wording.WithHint(tool.UsageError("-k: a target with trouble is not made"), "leave bad records out first: recsign tells which they are")
}

// parts returns the chain by its filters.
func (f *Fuzzy) parts(shards []string) (*parts.Plan, error) {
	switch {
	case f.KeepGoing && f.Job.Print != plan.JSON:
		return nil, notMade()
	case f.Apply.Removed != "" || f.Apply.OutputName != "" || f.Records.Expect > 0:
		return nil, wording.WithHint(tool.UsageError("--output, --removed and --expect are of one process, not of parts"), leavesKept)
	case len(f.Old.Against) > 0 || f.Old.Save != "" || f.Evidence.any() || f.splits():
		return nil, tool.UsageError("--against, --save, --split and what writes evidence are of one process, not of parts")
	}
	keys, pairs := lshkeys.Default(), keypairs.Default()
	keys.Keys, pairs.Pairing, pairs.Unsorted = f.Pair.Keys, f.Pair.Pairing, true
	if f.Mem > 0 {
		pairs.Mem = f.Mem
	}
	texts, verify := f.texts(), f.scores()
	p := &parts.Plan{Command: "doppel fuzzy", Shards: shards, N: f.Job.Parts, Texts: &texts, Verify: &verify}
	p.Sign, p.Keys, p.Pairs = byFile(f.sign()), plan.Tool("lshkeys", &keys), plan.Tool("keypairs", &pairs)
	apply := f.Apply
	f.share(&apply.Common)
	p.Decide, p.Apply = f.group(shards), applied(apply)
	if f.Decide.NeedsRecords() {
		p.Decide = byFile(p.Decide)
	}
	return p, nil
}

// texts returns the stage that takes texts out of a shard.
func (f *Fuzzy) texts() plan.Stage {
	o := keepdrop.Default()
	f.share(&o.Common)
	o.IDs = true
	return byFile(plan.Tool("keepdrop", &o))
}

// scores returns the stage that scores pairs by such texts.
func (f *Fuzzy) scores() plan.Stage {
	o := jaccard.Default()
	f.share(&o.Common)
	o.Text, o.Threshold = f.Text, f.Pair.Keys.Threshold
	o.Records, o.KeepGoing = jaccard.Default().Records, false
	return plan.Tool("jaccard", &o)
}

// parts returns the chain by its filters. Records with one hash are equal, so that
// no text is looked at again.
func (x *Exact) parts(shards []string) (*parts.Plan, error) {
	u := &x.Unique
	switch {
	case u.KeepGoing && x.Job.Print != plan.JSON:
		return nil, notMade()
	case u.Count || u.Duplicates || u.Verify || u.Against != "" || u.Save != "" || u.OutputName != "" || x.tells() || u.Records.Expect > 0:
		return nil, wording.WithHint(tool.UsageError("--count, --duplicates, --verify, --against, --save, --output and --expect are of one process, not of parts"), leavesKept)
	}
	apply, pairs, decide := keepdrop.Default(), keypairs.Default(), dupgroup.Default()
	apply.Common, apply.Mem, pairs.Unsorted = u.Common, 0, true
	return &parts.Plan{
		Command: "doppel exact", Shards: shards, N: x.Job.Parts,
		Sign: byFile(x.sign()), Keys: lshkeysStage(), Pairs: plan.Tool("keypairs", &pairs),
		Decide: plan.Tool("dupgroup", &decide), Apply: applied(apply),
	}, nil
}

// byFile returns a stage whose ids are file:ordinal.
func byFile(s plan.Stage) plan.Stage {
	s.Options.SharedOptions().Records.WithFilename = true
	return s
}

func lshkeysStage() plan.Stage { o := lshkeys.Default(); return plan.Tool("lshkeys", &o) }

// applied returns the stage that applies the decisions on a shard, of which some are
// in favour of records in others.
func applied(o keepdrop.Options) plan.Stage {
	o.Partial, o.Records.ID, o.OutputName, o.Removed = true, "", "", ""
	return byFile(plan.Tool("keepdrop", &o))
}
