package recsign_test

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"doppel/pkg/method"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/stage/stagetest"
	"doppel/pkg/text"
)

func TestArgs(t *testing.T) {
	stagetest.RoundTrip(t, recsign.Default,
		[]string{"--shingle", "c5", "--normalize=none", "--slots=16", "--slot-bits", "8", "--seed=7", "--split", "blank"},
		[]string{"-m", "simhash", "--normalize=balanced", "-b", "128", "--hash=xxh3", "--unicode=NFC", "--zero", "-v"},
		[]string{"-m", "sample", "-s", "c20", "-p", "31", "--modulus=2^40", "-c", "8,5/0xff", "--raw", "--files", "-0"},
		[]string{"-m", "sample", "--winnow", "9"},
		[]string{"-m", "exact", "--whole", "--key=a b", "--json", "-k", "-j", "2", "-o", "-x"},
		[]string{"--field", "a,b", "--field=[0]", "--id", "x.y", "-H", "--lines"},
	)
}

// The settings of the methods are flags.
func TestSettings(t *testing.T) {
	o, fs := recsign.Default(), pflag.NewFlagSet("", pflag.ContinueOnError)
	o.Flags(fs)
	for _, m := range method.All {
		for _, name := range m.Settings {
			if fs.Lookup(name) == nil {
				t.Errorf("%s: no flag --%s", m.Name, name)
			}
		}
	}
}

// Options of another method are refused by the name that their flags have.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		set  func(*recsign.Options)
		want string // "": no error
	}{
		{func(o *recsign.Options) {}, ""},
		{func(o *recsign.Options) { o.Method = "none" }, `no method "none"`},
		{func(o *recsign.Options) { o.Winnow = 3 }, "--winnow: a flag of sample, not of minhash"},
		{func(o *recsign.Options) { o.Method, o.Key = "sample", "k" }, "--key: a flag of exact, not of sample"},
		{func(o *recsign.Options) { o.Method, o.Normalize = "exact", "balanced" }, ""},
		{func(o *recsign.Options) { o.Method, o.Shingle = "simhash", "w3" }, ""},
		{func(o *recsign.Options) { o.Method, o.Key = "exact", "no such file" }, ""},
		{func(o *recsign.Options) { o.Slots = 0 }, "0 slots"},
		{func(o *recsign.Options) { o.Split, o.Records.Fields = text.ByLine, []string{"a", "b"} }, "--split takes one field"},
		{func(o *recsign.Options) { o.Method, o.Whole = "exact", true }, ""},
		{func(o *recsign.Options) { o.Method, o.Whole, o.Records.Fields = "exact", true, []string{"a"} }, "--whole and --field"},
	} {
		o := recsign.Default()
		c.set(&o)
		switch err := o.Check(); {
		case (err == nil) != (c.want == ""):
			t.Errorf("%q: %v", c.want, err)
		case err != nil && !strings.Contains(err.Error(), c.want):
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
