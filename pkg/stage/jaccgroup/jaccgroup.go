// Package jaccgroup decides which records of candidate pairs to keep. It makes the same decisions
// as jaccard followed by dupgroup, but compares as few pairs as possible.
//
// See man/jaccgroup.1.
package jaccgroup

import (
	"cmp"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/group"
	"doppel/pkg/line"
	"doppel/pkg/record"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/stage/dupgroup"
	"doppel/pkg/stage/jaccard"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/stage/pairs"
	"doppel/pkg/stage/pairsets"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options combine the options of jaccard and dupgroup. The threshold of Score is also the cut of
// Decide. If Decide needs records, they are read from the files in Score.Data.
type Options struct {
	flags.Common
	Score  jaccard.Options
	Decide dupgroup.Options
	Stats  string // file for the counts; "" for none
}

// Default returns the options that apply if no flags are given.
func Default() Options {
	return Options{
		Common: flags.Common{Mem: 128 << 20, Records: record.Options{Fields: []string{flags.Text}}},
		Score:  jaccard.Default(),
		Decide: dupgroup.Default(),
	}
}

// Command returns a new description of this program, with default options.
var Command = tool.New("jaccgroup", "decide which records of pairs are kept, with as few comparisons as possible", "[PAIRS...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	flagset.Offer(fs, &o.Score, "records", "files", "threshold", "containment", "split", "shingle", "normalize", "key")
	fs.StringVar(&o.Records.Within, "within", o.Records.Within, "keep apart records with different values at this `PATH`; they are not similar")
	fs.Lookup("threshold").Usage = "drop records `T` or more similar (default 0: of every pair); T is from 0 to 1, and the similarity is that to a kept record"
	flagset.Offer(fs, &o.Decide, "rank")
	fs.StringVar(&o.Stats, "stats", o.Stats, "write the counts to `FILE` as a JSON object")
	flags.MarkWritten(fs, "stats")
	o.Common.Flags(fs, flags.Records|flags.Memory|flags.JSON|flags.Header|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Duplicates, "within")
	flagset.Assign(fs, flagset.Evidence, "stats")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"threshold", "shingle", "normalize", "within", "rank", "records", "field", "id", "output", "stats", "mem", "jobs"}
}

// Check rejects options that jaccard or dupgroup rejects.
func (o *Options) Check() error {
	if len(o.Score.Data) == 0 {
		return tool.UsageError("--records FILE is required; FILE must contain the records of the pairs")
	}
	if err := cmp.Or(o.Score.Check(), option.CheckValues(&o.Records)); err != nil {
		return err
	}
	return o.groupOptions().Check()
}

// groupOptions returns the options of dupgroup.
func (o *Options) groupOptions() *dupgroup.Options {
	d := o.Decide
	if d.Cut = o.Score.Threshold; d.NeedsRecords() {
		d.Data = o.Score.Data
	}
	return &d
}

// Takes reports whether Run accepts the values of the previous stage, which must be pairs.
func (o *Options) Takes(values any) bool {
	_, ok := values.(pairs.Pairing)
	return ok
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(o.Score.Files, "with --files", append([]string{"within"}, flags.RecordFlags...)...)
	return i
}

// Run reads the pairs in the operands and writes decisions on their records.
func (o *Options) Run(e *tool.Env, operands []string) error {
	p := &pairsets.Pairs{Distinct: true}
	defer p.Close()
	if err := p.Read(e, operands); err != nil {
		return err
	}
	s, err := readSets(e, o, p)
	if err != nil {
		return err
	}
	order, err := o.groupOptions().Order(e, dupgroup.Records{IDs: &p.IDs, Size: func(number uint32) int64 { return int64(s.size[number]) }})
	if err != nil {
		return err
	}
	pairs.ReportSpilled(e, s.parts.Spilled())
	r := &run{pairs: p, sets: s, order: order, leaders: group.NewLeaders(p.IDs.Len())}
	sorter, err := r.byPartition(max(int64(e.Mem)/8, minPairBytes))
	if err != nil {
		return err
	}
	if err := r.decide(e, o, sorter); err != nil {
		return err
	}
	if err := lineio.Header(e, line.Decision{}); err != nil {
		return err
	}
	w := dupgroup.NewWriter(e, o.groupOptions(), pairs.Ranks{IDs: &p.IDs.List, Order: order})
	c := tool.Counts{Pairs: &tool.Pairs{Candidates: p.Len(), Verified: r.verified}}
	err = r.leaders.Each(func(d group.Decision) error {
		if d.Drop {
			c.Dropped++
		} else {
			c.Kept++
		}
		return w.Write(d)
	})
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	if e.Watching() {
		e.Note("%d candidates, %d verified", c.Pairs.Candidates, c.Pairs.Verified)
	}
	return e.WriteStats(o.Stats, c)
}
