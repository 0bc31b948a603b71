package exact

import (
	"cmp"

	"doppel/pkg/dedup"
	"doppel/pkg/plan"
	"doppel/pkg/plan/parts"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/keypairs"
	"doppel/pkg/stage/lshkeys"
)

// parts returns the plan that processes the shards in parts, or an error if an option needs a run
// in one process. Records with equal hashes are considered equal, so no step compares their texts.
func (x *Options) parts(shards []string) (*parts.Plan, error) {
	u := &x.Unique
	switch {
	case u.KeepGoing && x.Job.Print != plan.JSON:
		return nil, dedup.NotMade()
	case u.To != "" && x.Job.Print.InParts():
		return nil, dedup.NotConverted()
	}
	one := dedup.InOneProcess
	if err := cmp.Or(
		one("count", u.Count), one("duplicates", u.Duplicates), one("verify", u.Verify), one("against", u.Against != ""), one("save", u.Save != ""),
		one("output", u.OutputName != ""), one("expect", u.Records.Expect > 0),
		dedup.ResultInOneProcess(&u.Result), one("decisions", x.Decisions != ""), one("report", x.Report.File != ""),
	); err != nil {
		return nil, err
	}
	apply, pairs, decide := keepdrop.Default(), keypairs.Default(), x.group(shards)
	group := decide.Options.(*dupgroup.Options)
	group.Equal, group.Seen = false, u.Seen
	if x.readsRank() {
		decide = dedup.ByFile(decide)
	}
	apply.Common, apply.Result, apply.Mem, pairs.Unsorted = u.Common, u.Result, 0, true
	apply.Records = x.records(u.Records)
	apply.Cut = x.splits()
	dedup.CountCopies(decide, &apply.Sizes)
	return &parts.Plan{
		Command: "doppel exact", Shards: shards, N: x.Job.Parts,
		Sign: dedup.ByFile(x.sign()), Keys: plan.Tool("lshkeys", new(lshkeys.Default())), Pairs: plan.Tool("keypairs", &pairs),
		Decide: decide, Apply: dedup.ApplyToShard(apply),
	}, nil
}
