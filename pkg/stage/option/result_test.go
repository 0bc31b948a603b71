package option_test

import (
	"testing"

	"github.com/spf13/pflag"

	"doppel/pkg/stage/option"
)

// Each flag of a result is needed, unless the caller serves it.
func TestNeeds(t *testing.T) {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(option.Result).Flags(all)
	all.VisitAll(func(f *pflag.Flag) {
		var r option.Result
		set(t, r.Flags, map[string]string{"repeat": "--repeat=1:2", "min-left": "--min-left=7", "only-ids": "--only-ids", "annotate": "--annotate", "force-field": "--force-field"}[f.Name]+" x")
		if f.Name == "removed" || f.Name == "cluster-size" {
			set(t, r.Flags, "--"+f.Name+"=x")
		}
		if got := r.Needs(); got != f.Name {
			t.Errorf("%s: needs %q", f.Name, got)
		}
		if got := r.Needs("other", f.Name); got != "" {
			t.Errorf("%s is served: needs %q", f.Name, got)
		}
	})
	if got := new(option.Result).Needs(); got != "" {
		t.Errorf("nothing is set: needs %q", got)
	}
}
