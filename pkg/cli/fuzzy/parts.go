package fuzzy

import (
	"cmp"

	"doppel/pkg/dedup"
	"doppel/pkg/plan"
	"doppel/pkg/plan/parts"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/keypairs"
	"doppel/pkg/stage/lshkeys"
	"doppel/pkg/stage/lshpairs"
)

// parts returns the plan that processes the shards in parts, or an error if an option needs a run
// in one process.
func (f *Options) parts(shards []string) (*parts.Plan, error) {
	switch {
	case f.KeepGoing && f.Job.Print != plan.JSON:
		return nil, dedup.NotMade()
	case f.Apply.To != "" && f.Job.Print.InParts():
		return nil, dedup.NotConverted()
	}
	v := &f.Evidence
	one := dedup.InOneProcess
	if err := cmp.Or(
		one("output", f.Apply.OutputName != ""), dedup.ResultInOneProcess(&f.Apply.Result), one("expect", f.Records.Expect > 0),
		one("against", len(f.Old.Against) > 0), one("save", f.Old.Save != ""), one("split", f.Splits()),
		one("scores", v.Scores != ""), one("decisions", v.Decisions != ""), one("groups", v.Groups != ""), one("report", v.Report.File != ""),
	); err != nil {
		return nil, err
	}
	keys, pairs := lshkeys.Default(), keypairs.Default()
	keys.Keys, pairs.Pairing, pairs.Unsorted = f.PairStage().Options.(*lshpairs.Options).Keys, f.Pair.Pairing, true
	if f.Mem > 0 {
		pairs.Mem = f.Mem
	}
	texts, verify := keepdrop.Default(), *f.VerifyStage(nil).Options.(*jaccard.Options)
	f.Share(&texts.Common)
	texts.IDs, texts.Records.Within = true, f.Records.Within
	// The stage reads texts, which have no other fields; dupgroup knows that records are apart.
	verify.Records, verify.KeepGoing, verify.Apart = jaccard.Default().Records, false, false
	verify.Records.Within = f.Records.Within
	p := &parts.Plan{Command: "doppel fuzzy", Shards: shards, N: f.Job.Parts}
	p.Sign, p.Keys, p.Pairs = dedup.ByFile(f.SignStage()), plan.Tool("lshkeys", &keys), plan.Tool("keypairs", &pairs)
	p.Texts, p.Verify = new(dedup.ByFile(plan.Tool("keepdrop", &texts))), new(plan.Tool("jaccard", &verify))
	apply := f.ApplyOptions()
	p.Decide, p.Apply = f.GroupStage(shards), dedup.ApplyToShard(apply)
	dedup.CountCopies(p.Decide, &apply.Sizes)
	if f.Decide.NeedsRecords() {
		p.Decide = dedup.ByFile(p.Decide)
	}
	return p, nil
}
