package stages

import (
	"fmt"

	"github.com/spf13/pflag"

	"doppel/pkg/lsh"
	"doppel/pkg/tool"
)

// BandFlags adds the flags that say how sketches become keys.
func BandFlags(fs *pflag.FlagSet, o *lsh.Options) {
	fs.Float64VarP(&o.Threshold, "threshold", "t", 0.8, "choose bands that find pairs of similarity `T`")
	fs.Float64Var(&o.Recall, "recall", 0.99, "with at least the probability `P`")
	fs.IntVar(&o.Bands.B, "bands", 0, "cut sketches into `N` bands")
	fs.IntVar(&o.Bands.R, "rows", 0, "of `N` slots each")
}

// WithinFlag adds the flag that says how simhashes become keys.
func WithinFlag(fs *pflag.FlagSet, o *lsh.Options) {
	fs.IntVar(&o.Within, "within", 3, "let simhashes meet that differ in at most `K` bits")
}

// CheckBands refuses options of BandFlags that mean nothing.
func CheckBands(o lsh.Options) error {
	switch {
	case !(0 < o.Threshold && o.Threshold <= 1):
		return tool.UsageError("--threshold %v: want more than 0 and at most 1", o.Threshold)
	case !(0 < o.Recall && o.Recall < 1):
		return tool.UsageError("--recall %v: want between 0 and 1", o.Recall)
	case o.Bands.B < 0 || o.Bands.R < 0:
		return tool.UsageError("--bands and --rows: want positive numbers")
	}
	return nil
}

// Explain writes the S-curve of the banding of k slots: the probability that
// a pair of each similarity becomes a candidate.
func Explain(e *tool.Env, o lsh.Options, k int) error {
	b, err := o.Settle(k)
	if err != nil {
		return tool.UsageError("%v", err)
	}
	fmt.Fprintf(e.Out, "# %v of %d slots\n", b, k)
	for percent := 5; percent <= 100; percent += 5 {
		j := float64(percent) / 100
		fmt.Fprintf(e.Out, "%.2f\t%.6f\n", j, b.Chance(j))
	}
	return nil
}
