package simpairs

import (
	"github.com/spf13/pflag"

	"doppel/pkg/simhash"
	"doppel/pkg/tool"
)

// options are the values of the flags.
type options struct {
	threshold float64
	within    int // -1: not given
	window    int
	all       bool
	explain   bool
	files     bool
	verbose   bool
}

func (o *options) register(fs *pflag.FlagSet) {
	fs.Float64VarP(&o.threshold, "threshold", "r", 0.25, "pair hashes of which less than the part `R` of the bits differ")
	fs.IntVar(&o.within, "within", -1, "find every pair that differs in at most `K` bits")
	fs.IntVarP(&o.window, "window", "w", 2, "compare each hash with its neighbours in a window of `N`")
	fs.BoolVar(&o.all, "all", false, "compare every hash with every other")
	fs.BoolVar(&o.explain, "explain", false, "write what rotation misses at each distance, instead of pairs")
	fs.BoolVar(&o.files, "files", false, "ids are names of files; the longer text comes first")
	fs.BoolVarP(&o.verbose, "verbose", "v", false, "print texts, bits and counts of rotation's pairs to stderr")
}

func (o *options) check() error {
	switch {
	case !(o.threshold >= 0 && o.threshold <= 1):
		return tool.UsageError("--threshold %v: want 0 to 1", o.threshold)
	case o.within < -1:
		return tool.UsageError("--within %d: want 0 or more", o.within)
	case o.window < 2:
		return tool.UsageError("--window %d: want at least 2", o.window)
	case o.verbose && (o.guaranteed() || o.explain):
		return tool.UsageError("--verbose is of the rotation search alone")
	case o.explain && !o.guaranteed():
		return tool.UsageError("--explain needs --within or --all, which miss nothing")
	}
	return nil
}

// guaranteed reports whether the search misses nothing.
func (o *options) guaranteed() bool { return o.all || o.within >= 0 }

// exhaustive returns the search that was asked for, of those that miss nothing.
func (o *options) exhaustive(s simhash.Search) func([]simhash.Hash, func(simhash.Pair) error) error {
	if o.all {
		return s.All
	}
	return s.Within
}
