package jaccard_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"doppel/pkg/stage/jaccard"
)

// Arguments make the options that they are made of.
func TestArgs(t *testing.T) {
	for _, args := range [][]string{
		nil,
		{"--records=a,b", "--records=", "--files"},
		{"--sigs=x", "--sigs=y,z", "--threshold=0.5", "--containment"},
		{"--records=-", "--shingle=c5", "--normalize=none", "--field=a,b", "--field=c[0]", "--id=x y", "--mem=1M", "--jobs=3", "--keep-going"},
	} {
		o := jaccard.Default()
		fs := pflag.NewFlagSet("", pflag.ContinueOnError)
		o.Flags(fs)
		if err := fs.Parse(args); err != nil {
			t.Fatal(err)
		}
		got := slices.Sorted(slices.Values(o.Args()))
		if d := cmp.Diff(slices.Sorted(slices.Values(args)), got); d != "" {
			t.Error(d)
		}
	}
}

func TestCheck(t *testing.T) {
	for name, bad := range map[string]func(*jaccard.Options){
		"nothing":   func(o *jaccard.Options) { o.Data = nil },
		"both":      func(o *jaccard.Options) { o.Sigs = []string{"x"} },
		"above":     func(o *jaccard.Options) { o.Threshold = 1.1 },
		"below":     func(o *jaccard.Options) { o.Threshold = -.1 },
		"no number": func(o *jaccard.Options) { o.Threshold = math.NaN() },
	} {
		o := jaccard.Default()
		o.Data = []string{"x"}
		if err := o.Check(); err != nil {
			t.Fatal(err)
		}
		if bad(&o); o.Check() == nil {
			t.Errorf("%s: %+v is no error", name, o)
		}
	}
}
