package stagetest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/tool"
)

// RoundTrip parses arguments, and again those that the options give back, which
// must make the same options. The default ones must give back none.
func RoundTrip[O any, P interface {
	*O
	tool.Options
}](t *testing.T, preset func() O, lines ...[]string) {
	t.Helper()
	for _, args := range append(lines, nil) {
		first, again := preset(), preset()
		parse(t, P(&first), args)
		back := flagset.Args(P(&first), P(new(preset())))
		parse(t, P(&again), back)
		if !reflect.DeepEqual(first, again) {
			t.Errorf("%q give back %q, which make %+v, not %+v", args, back, again, first)
		}
		if twice := flagset.Args(P(&again), P(new(preset()))); !slices.Equal(back, twice) || len(args) == 0 && len(back) > 0 {
			t.Errorf("%q give back %q, and those %q", args, back, twice)
		}
	}
}

func parse(t *testing.T, o tool.Options, args []string) {
	t.Helper()
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.Flags(fs)
	if err := fs.Parse(args); err != nil {
		t.Errorf("%q: %v", args, err)
	}
}
