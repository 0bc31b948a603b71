// Package recsieve drops near-duplicates in one pass. It does the work of recsign, lshpairs,
// jaccgroup and keepdrop.
//
// See man/recsieve.1.
package recsieve

import (
	"cmp"
	"math"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/lsh"
	"doppel/pkg/minhash"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/spill"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which records are similar, and which outputs are written in addition to the kept
// records.
type Options struct {
	flags.Common
	option.Result // only Removed
	Keys          option.Keys
	Text          option.Text
	Hot           int    // maximum number of kept records of a bucket that a record is compared with
	Slots         int    // number of slots of a sketch
	SlotBits      int    // bits per slot: 8, 16 or 32
	Seed          uint64 // seed of the hashes of the sketches
	Against       string // directory of a collection: records similar to one of its records are dropped, too
	Only          bool   // compare new records only with old ones
	Save          string // directory of a collection to which the kept records are added
	Collection    option.Collection
	Ordinals      bool   // decisions name records by their ordinals, even with --id or -H
	Decisions     string // file for the decisions; "" for none
	Stats         string // file for the counts; "" for none
}

// served is the flag of the only option of a Result that recsieve can serve.
const served = "removed"

// Serves reports whether recsieve can write a result as the options say.
func Serves(r *option.Result) bool { return r.Needs(served) == "" }

// Default returns the options that apply if no flags are given.
func Default() Options {
	o := Options{Common: flags.OfText(), Keys: option.DefaultKeys(), Text: option.DefaultText(), Hot: 64, Slots: 128, SlotBits: 16, Seed: 1}
	o.Mem = 1 << 30
	return o
}

// Command returns a new description of this program, with default options.
var Command = tool.New("recsieve", "drop near-duplicates of records in one pass", "[FILE...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	flagset.Offer(fs, &o.Keys, "threshold", "recall", "bands", "rows")
	fs.Lookup("threshold").Usage = "drop records `T` or more similar, 0 to 1 (default 0.8); T is more than 0, and the similarity is that to a kept record"
	fs.IntVar(&o.Hot, "hot", o.Hot, "if more than `N` kept records share a band, compare with only the first and last N/2")
	flagset.Offer(fs, &o.Text)
	fs.IntVar(&o.Slots, "slots", o.Slots, "make sketches of `N` slots")
	fs.IntVar(&o.SlotBits, "slot-bits", o.SlotBits, "keep `N` bits per slot: 8, 16 or 32")
	fs.Uint64Var(&o.Seed, "seed", o.Seed, "derive the hash functions of the sketches from the seed `S`")
	fs.StringVar(&o.Against, "against", o.Against, "also drop records similar to a record of the collection in `DIR`")
	fs.StringVar(&o.Save, "save", o.Save, "add the kept records to the collection in `DIR`; the run creates DIR")
	fs.BoolVar(&o.Only, "only-against", o.Only, "with --against or --index: drop only records that are similar to one of the collection")
	o.Collection.Flags(fs)
	o.Collection.EstimateFlag(fs)
	flags.MarkRead(fs, "against")
	flags.MarkWritten(fs, "save")
	fs.BoolVar(&o.Ordinals, "ordinals", o.Ordinals, "use ordinals as ids in the decisions, even with --id or -H")
	fs.StringVar(&o.Decisions, "decisions", o.Decisions, "write the decisions to `FILE`")
	flagset.Offer(fs, &o.Result, served)
	fs.Lookup(served).Usage = "write the dropped records, and why, to `FILE` as JSON lines"
	fs.StringVar(&o.Stats, "stats", o.Stats, "write the counts to `FILE` as a JSON object")
	flags.MarkWritten(fs, "decisions", "stats")
	o.Common.Flags(fs, flags.Records|flags.Memory|flags.Jobs|flags.KeepGoing|flags.Dataset|flags.Watch)
	flagset.Assign(fs, flagset.Signatures, "hot", "slots", "slot-bits", "seed")
	flagset.Assign(fs, flagset.Kept, "against", "only-against", "save")
	flagset.Assign(fs, flagset.Evidence, "ordinals", "decisions", "stats")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"threshold", "recall", "shingle", "normalize", "field", "lines", "id", "output", "decisions", "removed", "mem", "jobs"}
}

// Check returns an error if an option is out of range.
func (o *Options) Check() error {
	if err := o.Keys.Check(); err != nil {
		return err
	}
	if o.Hot < 2 {
		return tool.UsageError("--hot %d: want 2 or more", o.Hot)
	}
	_, _, err := o.scheme()
	return cmp.Or(err, o.checkCollection())
}

// checkCollection rejects options that cannot be used together if the run uses a collection.
func (o *Options) checkCollection() error {
	if o.Only && o.Against == "" && o.Collection.Index == "" {
		return tool.UsageError("--only-against needs --against or --index")
	}
	_, _, err := o.Collection.Places(o.Against, o.Save)
	return err
}

// scheme returns the banding and the scheme of the sketches. The scheme is that of sketches made
// without a key.
func (o *Options) scheme() (s minhash.Scheme, b lsh.Bands, err error) {
	s = minhash.Scheme{Text: o.Text.Options, Slots: o.Slots, Bits: o.SlotBits, Seed: o.Seed}
	if err = s.Check(); err == nil {
		b, err = o.Keys.Settle(o.Slots)
	}
	if err != nil {
		err = tool.UsageError("%v", err)
	}
	return s, b, err
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(o.Keys.Bands != lsh.Bands{}, "with --bands or --rows", "recall")
	i.When(o.Decisions == "", "without --decisions", "ordinals")
	o.Collection.Idle(&i, o.Save)
	i.When(o.Against == "" && o.Save == "" && o.Collection.Index == "", "without a collection", "estimate")
	return i
}

// Run drops near-duplicates from the records of the operands and writes the kept records.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if err := o.Adopt(e.Given); err != nil {
		return err
	}
	e.Records.Fields = o.Records.Fields
	r, err := o.newRun(e)
	if err != nil {
		return err
	}
	defer r.store.close()
	if err := r.openCollections(); err != nil {
		return err
	}
	if o.Decisions != "" || o.Removed != "" {
		mem := int64(e.Mem) / 16
		r.drops = &drops{byPlace: spill.NewSorter[[2]uint64](1, mem), olds: math.MaxInt64, mem: mem}
	}
	if o.Decisions != "" {
		r.drops.format = lineio.FormatOf(e, o.Decisions)
		if r.drops.decisions, err = e.Create(o.Decisions); err != nil {
			return err
		}
	}
	if o.Removed != "" {
		if r.drops.removed, err = e.Create(o.Removed); err != nil {
			return err
		}
	}
	if err := r.readInput(operands); err != nil {
		return err
	}
	if err := r.matchOld(); err != nil {
		return err
	}
	if err := r.readTail(); err != nil {
		return err
	}
	if err := r.sink.Close(); err != nil {
		return err
	}
	if err := r.writeDecisions(); err != nil {
		return err
	}
	pairs, compared := r.sieve.Counts()
	return e.WriteStats(o.Stats, tool.Counts{
		Pairs: &tool.Pairs{Candidates: r.pairs + pairs, Verified: r.compared + compared},
		Kept:  r.kept, Dropped: r.dropped, Missing: e.Missing(), Unread: e.Unread(),
	})
}
