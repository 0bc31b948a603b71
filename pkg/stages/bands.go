// Package stages holds flags of programs that have no options of their own yet. All
// others have those of pkg/stage/option.
package stages

import (
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
