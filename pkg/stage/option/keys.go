// Package option defines options that several programs share. Each group of options is a struct
// with methods that register and check its flags. The options of a program contain the structs of
// the groups that it uses, so that a flag has the same meaning in every program.
package option

import (
	"fmt"
	"io"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/line/schemes"
	"doppel/pkg/lsh"
	"doppel/pkg/method"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Keys say how keys are made from signatures.
type Keys struct{ lsh.Options }

// DefaultKeys returns options for finding pairs whose similarity is at least 0.8, or whose
// simhashes differ in at most three bits.
func DefaultKeys() Keys { return Keys{lsh.Options{Threshold: 0.8, Recall: 0.99, Within: 3}} }

// Flags registers the flags that set these options.
func (k *Keys) Flags(fs *pflag.FlagSet) {
	fs.Float64VarP(&k.Threshold, "threshold", "t", k.Threshold, "find pairs `T` or more similar, 0 to 1 (default 0.8); T is more than 0, and the bands are chosen accordingly")
	fs.Float64Var(&k.Recall, "recall", k.Recall, "find pairs at the threshold with chance `P`; P is the probability, below 1, that a pair just as similar as --threshold is found; more similar pairs are found with a higher one")
	fs.IntVar(&k.Bands.B, "bands", k.Bands.B, "cut sketches into `N` bands (default: chosen by --recall)")
	fs.IntVar(&k.Bands.R, "rows", k.Bands.R, "make bands of `N` slots (default: chosen by --recall)")
	fs.IntVar(&k.Within, "within", k.Within, "simhash: let pairs differ in at most `K` bits")
	flagset.Assign(fs, flagset.Duplicates, "threshold", "recall", "within")
	flagset.Assign(fs, flagset.Signatures, "bands", "rows")
	flagset.AtLeast(fs, 1, "bands", "rows")
}

// Idle adds to i the flags that have no effect with these options.
func (k *Keys) Idle(i *flags.Idle) {
	i.When(k.Bands != lsh.Bands{}, "with --bands or --rows", "threshold", "recall")
}

// RefuseIdle returns an error if a flag was given that has no effect with signatures of a scheme.
// Programs call it after they have read a signature, because they do not know the scheme earlier.
func RefuseIdle(e *tool.Env, scheme string) error {
	var i flags.Idle
	i.When(true, "with signatures of "+schemes.Method(scheme), method.Of(scheme).IdleKeying()...)
	return e.RefuseIdle(i)
}

// Check rejects invalid values.
func (k *Keys) Check() error {
	switch {
	case !(0 < k.Threshold && k.Threshold <= 1):
		return tool.UsageError("--threshold %v: want more than 0 and at most 1", k.Threshold)
	case !(0 < k.Recall && k.Recall < 1):
		return tool.UsageError("--recall %v: want between 0 and 1", k.Recall)
	case k.Bands.B < 0:
		return tool.UsageError("--bands %d: want 1 or more", k.Bands.B)
	case k.Bands.R < 0:
		return tool.UsageError("--rows %d: want 1 or more", k.Bands.R)
	}
	return nil
}

// Explain writes the S-curve of the bands of sketches that have the given number of slots. The
// curve gives, for each similarity, the probability that a pair becomes a candidate.
func (k *Keys) Explain(w io.Writer, slots int) error {
	b, err := k.Settle(slots)
	if err != nil {
		return tool.UsageError("%v", err)
	}
	fmt.Fprintf(w, "# %v of %d slots\n", b, slots)
	for percent := 5; percent <= 100; percent += 5 {
		j := float64(percent) / 100
		fmt.Fprintf(w, "%.2f\t%.6f\n", j, b.Chance(j))
	}
	return nil
}
