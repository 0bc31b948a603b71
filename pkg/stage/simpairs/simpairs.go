// Package simpairs pairs simhashes that differ in few bits.
//
// See man/simpairs.1.
package simpairs

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/line"
	"doppel/pkg/line/schemes"
	"doppel/pkg/simhash"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which pairs to find, and how to search for them.
type Options struct {
	flags.Common
	Threshold float64 // find pairs whose share of differing bits is below this
	Within    int     // find all pairs that differ in at most this many bits; unset to use Threshold
	Window    int     // number of neighbouring hashes in a window of the rotation search
	Hot       int     // number of equal hashes, and of pairs of a hash, above which pairs are left out
	All       bool    // compare every hash with every other
	Files     bool    // ids are names of files, and the longer text of a pair is written first
	Verbose   bool    // print the texts and bits of the pairs that the rotation search finds
}

// unset is the value of Within if --within is not given.
const unset = -1

// Default returns the options that apply if no flags are given.
func Default() Options {
	return Options{Common: flags.Common{Mem: 256 << 20}, Threshold: 0.25, Within: unset, Window: 2, Hot: 1000}
}

// Command returns a new description of this program, with default options.
var Command = tool.New("simpairs", "pair simhashes that differ in few bits", "[FILE...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.Float64VarP(&o.Threshold, "threshold", "r", o.Threshold, "pair hashes if under `R` of their bits differ; R is a share, 0 to 1")
	fs.IntVar(&o.Within, "within", o.Within, "find all pairs up to `K` bits apart (default: rotate); without it, hashes are rotated and sorted")
	fs.IntVarP(&o.Window, "window", "w", o.Window, "compare hashes with neighbours in a window of `N`")
	fs.BoolVar(&o.All, "all", o.All, "compare every hash with every other")
	fs.IntVar(&o.Hot, "hot", o.Hot, "limit the pairs of each hash to about `N`; with --within or --all, and each of more than N equal hashes is paired only with the first")
	fs.BoolVar(&o.Files, "files", o.Files, "read ids as file names, and write the longer text first")
	fs.BoolVarP(&o.Verbose, "verbose", "v", o.Verbose, "print the found pairs, with their bits, to stderr; with their texts, and the counts")
	o.Common.Flags(fs, flags.JSON|flags.Header|flags.Memory|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Duplicates, "threshold", "within", "window", "all", "hot")
	flagset.Assign(fs, flagset.Input, "files")
	flagset.Assign(fs, flagset.Output, "verbose")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"threshold", "within", "window", "all", "hot", "files", "output", "json", "header", "mem", "jobs"}
}

// Check rejects options that are invalid or cannot be used together.
func (o *Options) Check() error {
	switch {
	case !(o.Threshold >= 0 && o.Threshold <= 1):
		return tool.UsageError("--threshold %v: want 0 to 1", o.Threshold)
	case o.Within < unset:
		return tool.UsageError("--within %d: want 0 or more", o.Within)
	case o.Window < 2:
		return tool.UsageError("--window %d: want 2 or more", o.Window)
	case o.Hot < 1:
		return tool.UsageError("--hot %d: want 1 or more", o.Hot)
	case o.Verbose && o.exhaustive():
		return tool.UsageError("--verbose applies only to the rotation search")
	}
	return nil
}

// exhaustive reports whether the search finds all pairs.
func (o *Options) exhaustive() bool { return o.All || o.Within != unset }

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(o.exhaustive(), "with --within or --all", "window")
	i.When(o.Within != unset, "with --within", "threshold")
	i.When(!o.exhaustive(), "without --within or --all", "hot")
	return i
}

// Run pairs the simhashes in the operands. It returns an error if two signatures have the same id,
// because it would be unclear which of them a pair names.
func (o *Options) Run(e *tool.Env, operands []string) error {
	in := &signatures{}
	newParser := func() lineio.Worker[batch] { return new(parser) }
	if err := lineio.Signatures(e, new(schemes.Guard), operands, newParser, in.addBatch); err != nil {
		return err
	}
	if err := (pairs.Ranks{IDs: &in.ids, Order: in.ids.Order()}).Unique(); err != nil {
		return err
	}
	if err := lineio.Header(e, line.Distance{}); err != nil {
		return err
	}
	if len(in.hashes) == 0 {
		return nil
	}
	s := simhash.Search{Width: in.width, Max: min(o.Within, in.width), Jobs: e.Jobs, Mem: int64(e.Mem)}
	if o.Within == unset {
		s.Max = simhash.MaxDistance(o.Threshold, in.width)
	}
	exhaustive := s.Within
	if o.All {
		exhaustive = s.All
	}
	w := &writer{e: e, in: in, longerFirst: o.Files, lengths: map[uint32]int{}, format: lineio.Format(e)}
	if !o.exhaustive() {
		return writeRotation(s, o, w)
	}
	hashes, kept, crowds := thinCrowds(in.hashes, o.Hot)
	if err := w.pairFirst(crowds); err != nil {
		return err
	}
	l := &limiter{writer: w, hot: o.Hot, counts: make([]int32, len(in.hashes))}
	err := exhaustive(hashes, func(p simhash.Pair) error {
		if kept != nil {
			p.A, p.B = kept[p.A], kept[p.B]
		}
		return l.write(p)
	})
	l.report()
	return err
}
