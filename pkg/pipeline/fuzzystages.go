package pipeline

import (
	"doppel/pkg/flagset"
	"doppel/pkg/lsh"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/lshpairs"
)

// fused reports whether one stage verifies and decides. Components tell the lowest
// score in each of them, so all scores are needed, as where they are kept; and what is
// old, how many copies there are, and that none is kept, is known to dupgroup alone.
func (f *Fuzzy) fused() bool {
	simple := f.Decide.Policy == dupgroup.Greedy && f.Decide.Keep == dupgroup.Best && !f.Decide.Counts
	return simple && f.Evidence.Scores == "" && f.Evidence.Report.File == "" && len(f.Old.Against) == 0
}

func (f *Fuzzy) verifyAndDecide(data []word) Stage {
	o := f.Group
	o.Score.Text, o.Score.Split = f.Verify.Text, f.Verify.Split
	o.Score.Threshold, o.Decide.Rank = f.Pair.Keys.Threshold, f.Decide.Rank
	return stage("jaccgroup", plain(o.Args()...), f.told(), laterReader(data), flagged("records", data))
}

func (f *Fuzzy) sign(data []word) Stage {
	return stage("recsign", plain(f.Sign.Args()...), firstReader(data)).on(data)
}

func (f *Fuzzy) pair() Stage { return f.pairBy(f.Pair) }

// pairBy is the stage that pairs. It is not told what chooses bands where they are
// given.
func (f *Fuzzy) pairBy(o lshpairs.Options) Stage {
	preset, always := lshpairs.Default(), []string{"threshold"}
	if f.banded() {
		o.Keys.Threshold, o.Keys.Recall, always = preset.Keys.Threshold, preset.Keys.Recall, nil
	}
	return stage("lshpairs", plain(flagset.Args(&o, &preset, always...)...))
}

// banded reports whether the bands are given, which are else chosen by the threshold.
func (f *Fuzzy) banded() bool { return f.Pair.Keys.Bands != lsh.Bands{} }

func (f *Fuzzy) verify(data []word) Stage {
	o := f.Verify
	o.Threshold = f.Pair.Keys.Threshold
	return stage("jaccard", plain(o.Args()...), f.told(), laterReader(data), flagged("records", data))
}

func (f *Fuzzy) group(data []word) Stage {
	o := f.Decide
	o.Cut = f.Pair.Keys.Threshold
	if o.NeedsRecords() {
		o.KeepGoing = f.Apply.KeepGoing
		return stage("dupgroup", plain(o.Args()...), f.told(), laterReader(data), flagged("records", data))
	}
	o.Records = dupgroup.Default().Records
	return stage("dupgroup", plain(o.Args()...))
}

func (f *Fuzzy) apply() Stage {
	o := f.Apply
	o.Partial = len(f.Old.Against) > 0 // old records are not in the input
	o.Annotate, o.OnlyIDs, o.Cut = f.Evidence.Annotate, f.Evidence.IDs, f.splits()
	return f.Job.apply(o, f.told())
}

// told makes the word that tells a stage that the first one reports bad records.
func (f *Fuzzy) told() []word { return told(f.Sign.KeepGoing) }

func told(keepGoing bool) []word {
	if !keepGoing {
		return nil
	}
	return []word{{text: "--told", silent: true}}
}
