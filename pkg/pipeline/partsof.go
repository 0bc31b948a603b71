package pipeline

import (
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/keepdrop"
	"doppel/pkg/stage/keypairs"
	"doppel/pkg/stage/lshkeys"
	"doppel/pkg/stage/lshpairs"
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
func (f *Fuzzy) parts(shards []string) (*Parts, error) {
	switch {
	case f.Sign.KeepGoing && f.Job.Print != jsonForm:
		return nil, notMade()
	case f.Apply.Removed != "" || f.Apply.OutputName != "" || f.Sign.Records.Expect > 0:
		return nil, wording.WithHint(tool.UsageError("--output, --removed and --expect are of one process, not of parts"), leavesKept)
	case len(f.Old.Against) > 0 || f.Old.Save != "" || f.Evidence.any() || f.splits():
		return nil, tool.UsageError("--against, --save, --split and what writes evidence are of one process, not of parts")
	}
	keys, pairs, preset := lshkeys.Default(), keypairs.Default(), lshpairs.Default()
	keys.Keys, pairs.Pairing, pairs.Unsorted = f.Pair.Keys, f.Pair.Pairing, true
	if f.Pair.Mem != preset.Mem {
		pairs.Mem = f.Pair.Mem
	}
	texts, verify := f.texts(), f.scores()
	p := &Parts{Command: "doppel fuzzy", Shards: shards, N: f.Job.Parts, Texts: &texts, Verify: &verify}
	p.Sign = byFile("recsign", f.Sign.Args())
	p.Keys, p.Pairs = stage("lshkeys", plain(keys.Args()...)), stage("keypairs", plain(pairs.Args()...))
	p.Decide, p.Apply = f.group(plain(shards...)), applied(&f.Apply)
	if f.Decide.NeedsRecords() {
		p.Decide = p.Decide.with(plain("--with-filename"))
	}
	return p, nil
}

// texts returns the stage that takes texts out of a shard.
func (f *Fuzzy) texts() Stage {
	o := keepdrop.Default()
	o.Common, o.IDs = f.Apply.Common, true
	o.Records.ID, o.Records.WithFilename = "", false
	o.OutputName, o.To, o.Codec, o.Level = "", "", "", 0
	return byFile("keepdrop", o.Args())
}

// scores returns the stage that scores pairs by such texts.
func (f *Fuzzy) scores() Stage {
	o := jaccard.Default()
	o.Text, o.Threshold, o.Mem, o.Jobs = f.Verify.Text, f.Pair.Keys.Threshold, f.Verify.Mem, f.Verify.Jobs
	return stage("jaccard", plain(o.Args()...))
}

// parts returns the chain by its filters. Records with one hash are equal, so that
// no text is looked at again.
func (x *Exact) parts(shards []string) (*Parts, error) {
	u := &x.Unique
	switch {
	case u.KeepGoing && x.Job.Print != jsonForm:
		return nil, notMade()
	case u.Count || u.Duplicates || u.Verify || u.Against != "" || u.Save != "" || u.OutputName != "" || x.tells() || u.Records.Expect > 0:
		return nil, wording.WithHint(tool.UsageError("--count, --duplicates, --verify, --against, --save, --output and --expect are of one process, not of parts"), leavesKept)
	}
	apply := keepdrop.Default()
	apply.Common, apply.Mem = u.Common, 0
	return &Parts{
		Command: "doppel exact", Shards: shards, N: x.Job.Parts,
		Sign: x.sign().with(plain("--with-filename")), Keys: stage("lshkeys"), Pairs: stage("keypairs", plain("--unsorted")),
		Decide: stage("dupgroup"), Apply: applied(&apply),
	}, nil
}

// byFile returns a stage whose ids are file:ordinal.
func byFile(program string, args []string) Stage {
	return stage(program, plain(args...), plain("--with-filename"))
}

// applied returns the stage that applies the decisions on a shard, of which some are
// in favour of records in others.
func applied(from *keepdrop.Options) Stage {
	o := *from
	o.Partial, o.Records.ID, o.Records.WithFilename, o.OutputName, o.Removed = true, "", false, "", ""
	return byFile("keepdrop", o.Args())
}
