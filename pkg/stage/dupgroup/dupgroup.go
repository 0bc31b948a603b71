// Package dupgroup decides from scored pairs which records are kept.
//
// See man/dupgroup.1.
package dupgroup

import (
	"github.com/spf13/pflag"

	_ "doppel/pkg/record/parquet"
	"doppel/pkg/tool"
)

// options are the values of the flags.
type options struct {
	policy  string
	rank    string
	cut     float64
	cutting bool // --cut was given
	records []string
}

// Command returns the tool.
func Command() *tool.Command {
	var o options
	var set *pflag.FlagSet
	return tool.Adapt(&tool.Old{
		Name:    "dupgroup",
		Summary: "decide which records of scored pairs are kept",
		Usage:   "[PAIRS...]",
		Shared:  tool.IDs | tool.JSON | tool.Jobs | tool.KeepGoing | tool.Output | tool.Watch,
		Mem:     256 << 20,
		Flagger: func(fs *pflag.FlagSet) {
			set = fs
			fs.StringVar(&o.policy, "policy", "greedy", "decide by `POLICY`: greedy or components")
			fs.StringVar(&o.rank, "rank", "first", "keep the best copy by `RANK`: first, last, longest, or FIELD[:desc]")
			fs.Float64Var(&o.cut, "cut", 0, "pass over pairs with a score below `T`")
			fs.StringSliceVar(&o.records, "records", nil, "take the order of input and the FIELD of --rank from the records in `FILE`")
		},
		Runner: func(e *tool.Env, args []string) error {
			o.cutting = set.Changed("cut")
			return run(e, &o, args)
		},
	})
}

func run(e *tool.Env, o *options, args []string) error {
	rank, err := parseRank(o.rank, len(o.records) > 0)
	if err != nil {
		return err
	}
	decide, ok := policies[o.policy]
	if !ok {
		return tool.UsageError("--policy %q: want greedy or components", o.policy)
	}
	s, err := readScored(e, o, args)
	if err != nil {
		return err
	}
	order, err := rank.order(e, o.records, s)
	if err != nil {
		return err
	}
	return decide(s, order, newWriter(e, o, s, order))
}
