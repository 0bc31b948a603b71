package overlap

import (
	"doppel/pkg/dedup"
	"doppel/pkg/plan"
	"doppel/pkg/plan/parts"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// printParts prints the tasks of a run on many machines: a --save task for each shard, which
// reads the shard once, and one --merge task.
func (o *Options) printParts(e *tool.Env, shards []string) error {
	results := []string{"overlap.tsv"}
	if o.JSON {
		results[0] = "overlap.jsonl"
	}
	for _, name := range []string{o.Decisions, o.Spoiled, o.CommonTo, o.Report} {
		if name != "" {
			results = append(results, name)
		}
	}
	shards, err := dedup.ShardFiles(shards)
	if err != nil {
		return err
	}
	if o.Job.Print != plan.JSON {
		if shards, err = parts.CleanNames(shards); err != nil {
			return err
		}
		if results, err = parts.CleanNames(results); err != nil {
			return err
		}
	}
	read, merge, shared := Default(), *o, flags.OfText()
	read.Find, read.Window, read.Tests, read.Fields, read.TestID = o.Find, o.Window, o.Tests, o.Fields, o.TestID
	read.Find.Coverage = Default().Find.Coverage
	read.Records, read.KeepGoing, read.Jobs, read.Job.Stats = o.Records, o.KeepGoing, o.Jobs, "none"
	merge.Merge, merge.Job.Print, merge.NoSync, merge.Manifest = true, plan.None, false, ""
	merge.Records = shared.Records
	merge.Records.Lines, merge.Records.Dialect, merge.Records.MaxRecord = o.Records.Lines, o.Records.Dialect, o.Records.MaxRecord
	p := &parts.Plan{
		Command: "doppel overlap", Shards: shards, N: len(shards), NoSync: o.NoSync,
		Sign: stage(&read), Decide: stage(&merge), Results: results,
	}
	return dedup.PrintParts(e, p, o.Job.Print)
}

func stage(o *Options) plan.Stage {
	preset := Default()
	return plan.Stage{Tool: "doppel overlap", Options: o, Preset: &preset}
}
