package pipeline

import (
	"os"
	"path/filepath"
	"slices"

	"doppel/pkg/plan"
	"doppel/pkg/stage/lshpairs"
	"doppel/pkg/stage/recsieve"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/tool"
)

// The chain of doppel fuzzy reads its data three times, and recsieve, which gives the same
// bytes, once. It is the faster one where a reading is dear, as of what is compressed, is
// copied first, as standard input is, or where much is dropped. On plain files of which
// little is dropped the chain is as fast, in less memory.

// The sieve is chosen for plain files of less than smallest bytes, and where at least dense
// of the records in the first bytes are dropped: a 64th of all, within the bounds. If copies
// are anywhere in the input, few are in its beginning, and the share of drops grows with what
// is read: the sieve is chosen, too, where it would grow beyond scattered at that rate.
const (
	smallest, largest = 1 << 20, 16 << 20
	dense, scattered  = 0.1, 2
)

// sieves reports whether a run is one of recsieve.
func (f *Fuzzy) sieves(e *tool.Env, operands []string) (bool, error) {
	evidence := f.Evidence
	evidence.Decisions = ""
	simple := f.fused() && f.Decide.Rank == "first" && f.Pair.Pairing.Hot == lshpairs.Default().Pairing.Hot && !f.splits() && f.Old.Save == "" && !evidence.any()
	if f.Job.Print != "" || !simple {
		return false, nil
	}
	once, size := len(operands) == 0, int64(0)
	for _, name := range operands {
		info, err := os.Stat(name)
		if err != nil && name != plan.Stdin {
			return false, err
		}
		if once = once || packed(name) || plan.ReadsOnce(name); err == nil {
			size += info.Size()
		}
		if err == nil && info.IsDir() {
			size += 1 << 30 // not known
		}
	}
	if once || size < smallest {
		return true, nil
	}
	o := f.sieveOptions()
	probe := e.Stage("recsieve", tool.Std{Stderr: e.Stderr})
	probe.Common = o.SharedOptions().Settled()
	probed := min(max(size/64, smallest), largest)
	less, err := o.SampleDrops(probe, operands, probed/4)
	if err != nil {
		return false, err
	}
	share, err := o.SampleDrops(probe, operands, probed)
	return share >= dense || (share-less)/(.75*float64(probed))*float64(size) >= scattered, err
}

// packed reports whether a name is that of a compressed file, or of Parquet.
func packed(name string) bool {
	return slices.Contains([]string{".gz", ".zst", ".bz2", ".xz", ".parquet"}, filepath.Ext(name))
}

// sieveOptions returns the options of recsieve that do as the chain does.
func (f *Fuzzy) sieveOptions() *recsieve.Options {
	o, sign := recsieve.Default(), recsign.Default()
	f.share(&o.Common)
	o.Records = f.Records
	o.Keys, o.Text = f.Pair.Keys, f.Text
	o.Slots, o.SlotBits, o.Seed = f.Sign.Slots, sign.SlotBits, f.Sign.Seed
	o.To, o.Codec, o.Level = f.Apply.To, f.Apply.Codec, f.Apply.Level
	o.Ordinals = true
	return &o
}

// sieve adds the one step of such a run.
func (f *Fuzzy) sieve(b *plan.Builder, operands []string, counts *tool.Counts) {
	b.Fail(b.Env.Reads(operands...))
	o := f.sieveOptions()
	if !b.Dry {
		o.Decisions, o.Removed = b.Output(f.Evidence.Decisions, false), b.Output(f.Apply.Removed, false)
	}
	o.OutputName = b.Target(f.Apply.OutputName)
	b.Add(plan.Step{Stdin: true, Stages: []plan.Stage{plan.Tool("recsieve", o).On(operands...).Counting(counts)}})
}
