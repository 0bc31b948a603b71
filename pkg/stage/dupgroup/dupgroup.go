// Package dupgroup decides from scored pairs which records are kept.
//
// See man/dupgroup.1.
package dupgroup

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/line"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/stage/lines"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which records go, and which of two copies is the better one.
type Options struct {
	flags.Common
	Policy string   // Greedy or Components
	Rank   string   // first, last, longest, or FIELD[:desc]
	Cut    float64  // pairs with a lower score are passed over; 0: none are
	Data   []string // files of the records, for their order and the field of Rank
	Old    []string // files of pairs of an old record and a new one: old ones are kept, and not decided
	Keep   string   // Best or None: what is kept of records that are alike
	Later  bool     // no flag: the scores were kept by an earlier run, whose threshold they do not say
	Counts bool     // the reason of a record that is kept tells how many copies there were
	Equal  bool     // pairs without a score are of equal records
}

// Default returns the options of a run without flags.
func Default() Options {
	return Options{Common: flags.Common{Mem: 256 << 20}, Policy: Greedy, Rank: "first", Keep: Best}
}

// Command returns the tool.
func Command() *tool.Command {
	return &tool.Command{
		Name:    "dupgroup",
		Summary: "decide which records of scored pairs are kept",
		Usage:   "[PAIRS...]",
		Options: new(Default()),
	}
}

// Flags registers the flags.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&o.Policy, "policy", o.Policy, "decide by `POLICY`: greedy or components")
	fs.StringVar(&o.Rank, "rank", o.Rank, "keep the best copy by `RANK`: first, last or longest; or by FIELD[:desc]")
	fs.Float64Var(&o.Cut, "cut", o.Cut, "pass over pairs with a score below `T`")
	fs.StringArrayVar(&o.Data, "records", o.Data, "take the order of input and the FIELD of --rank from the records in `FILE`; may be given again")
	fs.StringArrayVar(&o.Old, "against", o.Old, "the pairs in `PAIRS` are of an old record, which stays, and a new one; may be given again")
	fs.StringVar(&o.Keep, "keep", o.Keep, "of records that are alike keep the best or none: `WHICH`")
	fs.BoolVar(&o.Counts, "counts", o.Counts, "tell in the reason of what is kept how many copies there were, itself included")
	fs.BoolVar(&o.Equal, "equal", o.Equal, "pairs without a score are of equal records, as those of recsign -m exact")
	o.Common.Flags(fs, flags.IDs|flags.JSON|flags.Header|flags.Memory|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
}

// Args returns the arguments that make these options of the default ones.
func (o *Options) Args() []string {
	return flagset.Args(o, new(Default()))
}

// Check refuses options that mean nothing.
func (o *Options) Check() error {
	if !(0 <= o.Cut && o.Cut <= 1) {
		return tool.UsageError("--cut %v: want 0 to 1", o.Cut)
	}
	if policies[o.Policy] == nil {
		return tool.UsageError("--policy %q: want greedy or components", o.Policy)
	}
	if o.Keep != Best && o.Keep != None {
		return tool.UsageError("--keep %q: want best or none; --rank says which is the best", o.Keep)
	}
	_, err := parseRank(o.Rank, len(o.Data) > 0)
	return err
}

// Idle returns the flags that do nothing.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(len(o.Data) == 0, "without --records", flags.RecordFlags...)
	return i
}

// Run decides by the pairs of the operands.
func (o *Options) Run(e *tool.Env, operands []string) error {
	s, err := readScores(e, o, operands)
	if err != nil {
		return err
	}
	if len(o.Data) == 0 {
		s.IDs.Forget()
	}
	order, err := o.Order(e, Records{&s.IDs, s.Size, func(number uint32) bool { return s.old.Has(int64(number)) }})
	if err != nil {
		return err
	}
	if err := lines.Header(e, line.Decision{}); err != nil {
		return err
	}
	w := NewWriter(e, o, pairs.Ranks{IDs: &s.IDs.List})
	w.olds = s.old.Len()
	if err := policies[o.Policy](s, s.arrange(order), w); err != nil {
		return err
	}
	return w.Close()
}
