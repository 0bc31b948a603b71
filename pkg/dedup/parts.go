package dedup

import (
	"doppel/pkg/msg"
	"doppel/pkg/plan"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
)

// leavesKept is a hint that tells the user where a run in parts writes the kept records.
const leavesKept = "the printed chain writes the kept records of each shard to the directory kept, under the shard's name"

// NotConverted returns the error for an output format in a makefile, whose results have the names of the
// shards.
func NotConverted() error {
	return msg.WithHint(tool.UsageError("--to applies only to a run in one process, not in parts: each result has the name and format of its shard"), "convert the results: reccat --to FORMAT -o DIR/ kept")
}

// NotMade returns the error for -k (--keep-going) in a run in parts. A stage that skips bad records
// exits with an error status, and make treats that as a failure.
func NotMade() error {
	return msg.WithHint(tool.UsageError("-k applies only to a run in one process, not in parts: make treats a target with a bad record as failed"), "remove bad records first; {recsign} reports them")
}

// InOneProcess returns an error if an option was given that a run in parts cannot carry. The caller
// passes the name of its flag.
func InOneProcess(flag string, given bool) error {
	if !given {
		return nil
	}
	return msg.WithHint(tool.UsageError("--%s applies only to a run in one process, not in parts", flag), leavesKept)
}

// ResultInOneProcess is like InOneProcess, for the first option of a result that a run in parts cannot
// carry.
func ResultInOneProcess(r *option.Result) error {
	flag := r.Needs(append(option.SizeFlags, "min-left")...)
	if flag == "only-ids" {
		flag = "ids"
	}
	return InOneProcess(flag, flag != "")
}

// CountCopies makes the deciding stage write the number of copies with each decision, if one of the
// size options needs that number. The stage that applies decisions to a shard reads only the
// decisions on the shard's records, so it cannot count copies.
func CountCopies(decide plan.Stage, sizes *option.Sizes) {
	if sizes.Flag() != "" {
		decide.Options.(*dupgroup.Options).Counts = true
	}
}

// ByFile makes a stage use ids of the form file:ordinal, and returns the stage.
func ByFile(s plan.Stage) plan.Stage {
	s.Options.SharedOptions().Records.WithFilename = true
	return s
}

// ApplyToShard returns the stage that applies the decisions to one shard. It sets Partial, because a
// decision can name a kept record of another shard.
func ApplyToShard(o keepdrop.Options) plan.Stage {
	o.Partial, o.Records.ID, o.OutputName, o.Removed, o.Tree = true, "", "", "", false
	return ByFile(plan.Tool("keepdrop", &o))
}
