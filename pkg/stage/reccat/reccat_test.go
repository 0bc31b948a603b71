package reccat

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// parse returns the options for these arguments.
func parse(args ...string) (*Options, error) {
	o := Default()
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.Flags(fs)
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	return &o, o.Check()
}

func TestCheck(t *testing.T) {
	for args, want := range map[string]string{
		"":                    "",
		"--head=0 --count":    "",
		"--sample=0 --seed=2": "",
		"--to=zst --lines":    "",
		"--head=-2":           "--head -2: want 0 or more",
		"--sample=-2":         "--sample -2: want 0 or more",
		"--sample=1 --head=1": "--sample cannot be used with --head or --count",
		"--sample=1 --count":  "--sample cannot be used with --head or --count",
		"--seed=2":            "--seed needs --sample",
		"--count --to=jsonl":  "--count writes no records, so it cannot be used with --to",
	} {
		got := ""
		if _, err := parse(strings.Fields(args)...); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}
