// Package dupgroup decides which records to keep, given scored pairs of similar records.
//
// See man/dupgroup.1.
package dupgroup

import (
	"runtime/debug"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/line/ids"
	"doppel/pkg/msg"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// The policies.
const (
	Greedy     = "greedy"     // a record is dropped if it is paired with a better record that is kept
	Components = "components" // of the records connected by pairs, only the best is kept
)

// Options say which records to drop, and which of two similar records is better.
type Options struct {
	flags.Common
	Policy string   // Greedy or Components
	Rank   string   // name of a rule, or FIELD[:desc]
	Cut    float64  // ignore pairs with a lower score; 0 to use all pairs
	Target int64    // choose the cut that leaves at most this many records; 0 to use Cut
	Data   []string // files of the records; needed to rank by a field or by the order of the records
	Old    []string // files of pairs that each consist of an old record, which is always kept, and a new one
	Keep   string   // which of several similar records to keep: Best or None
	Seen   int      // drop all records of groups of this size or more, and no others; 0 to use Keep
	Later  bool     // the scores were saved by an earlier run, whose threshold is unknown; not set by a flag
	Counts bool     // add the number of copies to the reason of each kept record
	Equal  bool     // treat pairs without a score as pairs of equal records
	Apart  bool     // records with the score 1 need not be similar to the same records
}

// Default returns the options that apply if no flags are given.
func Default() Options {
	return Options{Common: flags.Common{Mem: 256 << 20}, Policy: Greedy, Rank: Rules[0].Name, Keep: Best}
}

// Command returns a new description of this program, with default options.
var Command = tool.New("dupgroup", "decide which records of scored pairs are kept", "[PAIRS...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&o.Policy, "policy", o.Policy, "`POLICY`: greedy (default) or components (keep one per chain); greedy drops a record that is similar to a kept one, components keeps one record of all that pairs connect")
	fs.StringVar(&o.Rank, "rank", o.Rank, "keep `RANK`: "+Rules[0].Name+" (default), "+msg.Or(append(RuleNames()[1:], "FIELD"))+" (least); FIELD keeps the copy with the smallest value of the field, FIELD:desc the one with the largest")
	flagset.NameValues(fs, "rank", ruleWords()...)
	fs.Float64Var(&o.Cut, "cut", o.Cut, "ignore pairs with a score below `T`")
	fs.Int64Var(&o.Target, "target", o.Target, "choose the threshold that leaves `N` records (default: off); or fewer, if pairs have equal scores")
	fs.StringArrayVar(&o.Data, "records", o.Data, "read the order and the FIELD of --rank from `FILE`; FILE has the records; may be repeated")
	fs.StringArrayVar(&o.Old, "against", o.Old, "read pairs of an old and a new record from `PAIRS`; the old record is kept; may be repeated")
	fs.StringVar(&o.Keep, "keep", o.Keep, "keep `WHICH` of similar records: best (default) or none")
	fs.IntVar(&o.Seen, "seen", o.Seen, "drop all records in groups of `N` or more similar records, and no others (default: keep one of each)")
	fs.BoolVar(&o.Counts, "counts", o.Counts, "add the number of copies, the kept record included, to the reason of each kept record")
	fs.BoolVar(&o.Equal, "equal", o.Equal, "treat pairs without a score as equal records, as in pairs from recsign -m exact")
	fs.BoolVar(&o.Apart, "apart", o.Apart, "do not count records with the score 1 as equal; for pairs from recsign --across")
	o.Common.Flags(fs, flags.IDs|flags.JSON|flags.Header|flags.Memory|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Duplicates, "cut", "target", "equal", "apart")
	flagset.Assign(fs, flagset.Kept, "policy", "rank", "keep", "seen", "against")
	flagset.Assign(fs, flagset.Input, "records")
	flagset.Assign(fs, flagset.Evidence, "counts")
	flagset.AtLeast(fs, 1, "target", "seen")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"cut", "target", "policy", "rank", "keep", "against", "records", "id", "output", "json", "mem", "jobs"}
}

// Check rejects invalid options.
func (o *Options) Check() error {
	if !(0 <= o.Cut && o.Cut <= 1) {
		return tool.UsageError("--cut %v: want 0 to 1", o.Cut)
	}
	switch {
	case o.Target < 0:
		return tool.UsageError("--target %d: want 1 or more", o.Target)
	case o.Target > 0 && o.Cut > 0:
		return tool.UsageError("--target and --cut cannot be used together: --target finds the score for --cut")
	case o.Target > 0 && len(o.Data) == 0:
		return tool.UsageError("--target needs --records, to count the records without a pair")
	}
	if o.Policy != Greedy && o.Policy != Components {
		return tool.UsageError("--policy %q: want greedy or components", o.Policy)
	}
	if o.Keep != Best && o.Keep != None {
		return tool.UsageError("--keep %q: want best or none; --rank sets which record is the best", o.Keep)
	}
	if o.Seen != 0 && o.Seen < 2 {
		return tool.UsageError("--seen %d: want 2 or more", o.Seen)
	}
	if o.Seen != 0 && (o.Keep == None || len(o.Old) > 0) {
		return tool.UsageError("--seen cannot be used with --keep none or --against")
	}
	_, err := parseRank(o.Rank, len(o.Data) > 0)
	return err
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(len(o.Data) == 0, "without --records", flags.RecordFlags...)
	return i
}

// Run reads the pairs in the operands and writes decisions on their records.
func (o *Options) Run(e *tool.Env, operands []string) error {
	s, err := readScores(e, o, operands)
	if err != nil {
		return err
	}
	if len(o.Data) == 0 {
		s.IDs.Forget()
	}
	total := int64(0)
	order, err := o.Order(e, Records{&s.IDs, s.Size, func(number uint32) bool { return s.old.Has(int64(number)) }, &total})
	if err != nil {
		return err
	}
	ranks := ids.Ranks(order)
	if o.Target > 0 {
		found := *o
		if found.Cut, err = s.findCut(e, ranks, total); err != nil {
			return err
		}
		o = &found
	}
	if err := lineio.Header(e, line.Decision{}); err != nil {
		return err
	}
	w := NewWriter(e, o, pairs.Ranks{IDs: &s.IDs.List})
	w.olds = s.old.Len()
	s.IDs.Forget()
	s.IDs.Arrange(order)
	s.old, s.fresh, s.sizes = nil, nil, nil
	if s.IDs.Len() > worthFreeing {
		debug.FreeOSMemory() // frees a third of the memory in use, because the next step allocates as much
	}
	w.least = o.Policy == Components && !o.Equal
	cut := 0. // pairs below --cut have not been stored
	if o.Target > 0 {
		cut = o.Cut
	}
	if err := s.decide(int64(e.Mem), cut, ranks, w.Write); err != nil {
		return err
	}
	return w.Close()
}

// worthFreeing is the number of ids above which freeing memory is worth the time of a garbage
// collection.
const worthFreeing = 1 << 20
