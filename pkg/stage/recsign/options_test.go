package recsign_test

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"doppel/pkg/method"
	"doppel/pkg/stage/recsign"
	"doppel/pkg/text"
)

// There is a flag for each setting of each method.
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

// Check rejects invalid options. It also rejects options that do not apply to the method, and then
// its error names the flag.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		set  func(*recsign.Options)
		want string // part of the expected error; "" for none
	}{
		{func(o *recsign.Options) {}, ""},
		{func(o *recsign.Options) { o.Method = "none" }, `invalid method "none"`},
		{func(o *recsign.Options) { o.Winnow = 3 }, "--winnow applies only to sample, not to minhash"},
		{func(o *recsign.Options) { o.Method, o.Key = "sample", "k" }, "--key applies only to minhash and exact, not to sample"},
		{func(o *recsign.Options) { o.Method, o.Normalize = "exact", "balanced" }, ""},
		{func(o *recsign.Options) { o.Method, o.Shingle = "simhash", "w3" }, ""},
		{func(o *recsign.Options) { o.Method, o.Key = "exact", "no such file" }, ""},
		{func(o *recsign.Options) { o.Slots = 0 }, "slots 0: want"},
		{func(o *recsign.Options) { o.Split, o.Records.Fields = text.ByLine, []string{"a", "b"} }, "--split takes only one --field"},
		{func(o *recsign.Options) { o.Method, o.Split = "passage", text.ByLine }, "--split does not apply to passages"},
		{func(o *recsign.Options) { o.Least = 3 }, "--least 3: want 0 or more; more than 0 needs --split"},
		{func(o *recsign.Options) { o.Least, o.Split = -1, text.ByLine }, "--least -1: want 0 or more"},
		{func(o *recsign.Options) { o.Without, o.Files = "list", true }, "--without and --files cannot be used together: the list has ordinals, but the ids are file names"},
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

// The scheme names all settings that affect a signature, and invalid settings are errors.
func TestScheme(t *testing.T) {
	for _, c := range []struct {
		want string // "" for an error
		set  func(*recsign.Options)
	}{
		{"minhash/h2/w3/128x16/s1/balanced", func(*recsign.Options) {}},
		{"minhash/h2/c5/128x16/s7/balanced", func(o *recsign.Options) { o.Shingle, o.Seed = "c5", 7 }},
		{"", func(o *recsign.Options) { o.Method = "none" }},
		{"", func(o *recsign.Options) { o.Slots = 0 }},
	} {
		o := recsign.Default()
		c.set(&o)
		if got, err := o.Scheme(); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
	}
}
