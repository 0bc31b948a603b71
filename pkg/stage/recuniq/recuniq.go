// Package recuniq keeps the first copy of each record, in one pass.
//
// See man/recuniq.1.
package recuniq

import (
	"cmp"
	"fmt"

	"github.com/spf13/pflag"

	"doppel/pkg/digest/exacthash"
	"doppel/pkg/flagset"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/record/write"
	"doppel/pkg/stage/option"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options define which records are copies, and say which copies are written.
type Options struct {
	flags.Common
	option.Result                         // only the sizes, Removed, and with Split MinLeft; with sizes, records are written at the end
	Normalize     exacthash.Normalization // compare normalised texts
	Count         bool                    // write the number of copies before each record, at the end of the input
	Duplicates    bool                    // write the later copies instead of the first ones
	Verify        bool                    // compare bytes, not only hashes
	Against       string                  // file of hashes; records with these hashes are dropped, too
	Save          string                  // file for the hashes of first copies; "" for none
	Collection    option.Collection       // a collection of hashes; Against and Save can be collections, too
	Key           string                  // file with the 32-byte key of HighwayHash; "" for no key
	Split         text.Splitting          // compare parts of texts, and cut later copies out of their records
	Seen          int                     // with Split: cut all copies of parts that occur this often or more, and no other parts; 0 to cut later copies
	Least         int                     // with Split: minimum length of a part to cut, in bytes
	Ordinals      bool                    // decisions name records by their ordinals, even with --id or -H
	Decisions     string                  // file for the decisions; "" for none
	Stats         string                  // file for the counts; "" for none
}

// served lists the flags of a Result that recuniq can serve.
var served = append([]string{"min-left", "removed"}, option.SizeFlags...)

// Serves reports whether recuniq can write a result as the options say.
func Serves(r *option.Result) bool { return r.Needs(served...) == "" }

// Default returns the options that apply if no flags are given.
func Default() Options { return Options{Common: flags.Common{Mem: 4 << 30}} }

// Command returns a new description of this program, with default options.
var Command = tool.New("recuniq", "drop exact duplicates of records in one pass", "[FILE...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.Var(&o.Normalize, "normalize", "normalise texts by `HOW`, such as balanced; one of: conservative, balanced, aggressive or url; "+text.Explained+"; url ignores what does not change the page of a URL, such as utm_ parameters")
	fs.BoolVarP(&o.Count, "count", "c", o.Count, "write the number of copies and a TAB before each record; all records are written at the end of the run")
	fs.BoolVarP(&o.Duplicates, "duplicates", "d", o.Duplicates, "write the later copies instead of the first ones")
	flagset.Offer(fs, &o.Result, option.SizeFlags...)
	fs.BoolVar(&o.Verify, "verify", o.Verify, "compare bytes, not only hashes")
	fs.StringVar(&o.Against, "against", o.Against, "also drop records with a hash in `FILE`, written by --save; recsign -m exact writes such files, too")
	fs.StringVar(&o.Save, "save", o.Save, "write the hashes of the kept records to `FILE`, for --against")
	o.Collection.Flags(fs)
	fs.StringVar(&o.Records.Within, "within", o.Records.Within, "compare only records that have the same value at this `PATH`")
	fs.StringVar(&o.Key, "key", o.Key, "hash by HighwayHash with the 32-byte key in `FILE`")
	fs.Var(&o.Split, "split", "cut out repeated `PARTS`: lines, paragraphs, sentences or wN; wN means N words; an earlier record has the same part")
	fs.IntVar(&o.Seen, "seen", o.Seen, "with --split: cut all copies of parts that occur `N` times or more, and no others (default: cut later copies)")
	fs.IntVar(&o.Least, "least", o.Least, "with --split: never cut parts of fewer than `BYTES` (default: cut all)")
	flagset.Offer(fs, &o.Result, "min-left")
	fs.Lookup("min-left").Usage = "with --split: drop a cut record if less than `BYTES|PERCENT` of its text is left, as in 200 or 50%"
	fs.BoolVar(&o.Ordinals, "ordinals", o.Ordinals, "use ordinals as ids in the decisions, even with --id or -H")
	fs.StringVar(&o.Decisions, "decisions", o.Decisions, "write the decisions to `FILE`")
	flagset.Offer(fs, &o.Result, "removed")
	fs.Lookup("removed").Usage = "write the dropped records, and why, to `FILE` as JSON lines"
	fs.StringVar(&o.Stats, "stats", o.Stats, "write the counts to `FILE` as a JSON object")
	flags.MarkWritten(fs, "save", "decisions", "stats")
	o.Common.Flags(fs, flags.Whole|flags.Memory|flags.Jobs|flags.KeepGoing|flags.Dataset|flags.Watch)
	flagset.Assign(fs, flagset.Duplicates, "normalize", "verify", "within", "key", "split", "seen", "least")
	flagset.Assign(fs, flagset.Kept, "against")
	flagset.Assign(fs, flagset.Output, "count", "duplicates")
	flagset.Assign(fs, flagset.Evidence, "save", "ordinals", "decisions", "stats")
	flagset.AtLeast(fs, 1, "seen", "least")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"normalize", "verify", "within", "split", "against", "field", "lines", "count", "duplicates", "output", "save", "jobs"}
}

// Args returns the command-line arguments that set these options.
func (o *Options) Args() []string { return flagset.Args(o, new(Default())) }

// Check rejects options that cannot be used together.
func (o *Options) Check() error {
	switch {
	case o.Count && o.Duplicates:
		return tool.UsageError("--count and --duplicates cannot be used together")
	case o.Sizes.Flag() != "" && (o.Count || o.Duplicates):
		return tool.UsageError("%s writes kept records, so it cannot be used with --count or --duplicates", o.Sizes.Flag())
	case o.Records.Within != "" && o.wholeRecords() && !o.adopts():
		return tool.UsageError("--within needs --field: equal whole records have the same value")
	case o.Verify && o.Against != "":
		return tool.UsageError("--verify and --against cannot be used together: hashes have no bytes to compare")
	case o.Normalize != (exacthash.Normalization{}) && o.wholeRecords() && !o.adopts():
		return tool.UsageError("--normalize needs --field or --lines")
	}
	return cmp.Or(option.CheckValues(&o.Records), o.checkSplit(), o.checkDrops(), o.checkCollection())
}

// checkDrops rejects options that cannot be used with --decisions or --removed.
func (o *Options) checkDrops() error {
	flag := "--decisions"
	if o.Decisions == "" {
		flag = "--removed"
	}
	for _, x := range [...]struct {
		flag  string
		given bool
	}{
		{"--split", o.Split != text.Unsplit}, {"--count", o.Count}, {"--duplicates", o.Duplicates}, {"--verify", o.Verify},
	} {
		if x.given && (o.Decisions != "" || o.Removed != "") {
			return tool.UsageError("%s cannot be used with %s", flag, x.flag)
		}
	}
	if (o.Decisions != "" || o.Removed != "") && o.Against != "" && !o.UsesCollection() {
		return tool.UsageError("%s cannot be used with --against %s, which is not a collection", flag, o.Against)
	}
	return nil
}

// checkSplit rejects options that are invalid or cannot be used together with --split.
func (o *Options) checkSplit() error {
	switch split := o.Split != text.Unsplit; {
	case o.Seen != 0 && o.Seen < 2:
		return tool.UsageError("--seen %d: want 2 or more", o.Seen)
	case o.Least < 0:
		return tool.UsageError("--least %d: want 0 or more", o.Least)
	case split && len(o.Records.Fields) > 1:
		return tool.UsageError("--split takes only one --field")
	case o.Records.Lines && (o.Split == text.ByLine || o.Split == text.ByBlank):
		return tool.UsageError("--split %v and --lines cannot be used together: each record is one line, which --lines drops whole", o.Split)
	case split && o.Sizes.Flag() != "":
		return tool.UsageError("--split cuts parts of records, so it cannot be used with %s", o.Sizes.Flag())
	case split && (o.Count || o.Duplicates):
		return tool.UsageError("--split cuts parts of records, so it cannot be used with --count or --duplicates")
	case o.Seen != 0 && (o.Verify || o.Against != "" || o.Save != ""):
		return tool.UsageError("--seen counts only the parts of this run, so it cannot be used with --verify, --against or --save")
	}
	return o.Sizes.Check(&o.Records)
}

// Preflight returns an error if parts cannot be cut out of records in the format of the operands, or
// if the records cannot be copied to the output. It reads at most the first batch of each operand.
func (o *Options) Preflight(e *tool.Env, operands []string) error {
	e.Sizes = o.Sizes.Sink()
	kind, err := e.Preflight(operands)
	if err == nil && o.Split != text.Unsplit && !kind.Cuttable {
		return fmt.Errorf("%s: %w", operands[0], write.ErrUncut)
	}
	return err
}

// wholeRecords reports whether whole records are compared, rather than texts in them.
func (o *Options) wholeRecords() bool {
	return len(o.Records.Fields) == 0 && !o.Records.Lines && o.Split == text.Unsplit
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(o.Save == "" && o.Collection.Index == "" && o.Decisions == "" && o.Removed == "", "without --save, --decisions or --removed", "id", "with-filename")
	i.When(o.Decisions == "", "without --decisions", "ordinals")
	saved := o.Save
	if !option.IsCollection(saved) {
		saved = ""
	}
	o.Collection.Idle(&i, saved)
	i.When(o.wholeRecords() && !o.adopts(), "without --field", "missing")
	i.When(o.Split == text.Unsplit, "without --split", "seen", "least", "min-left")
	o.Sizes.Idle(&i)
	return i
}

// wantsCounts reports whether the output depends on the number of copies.
func (o *Options) wantsCounts() bool { return o.Count || o.Sizes.Flag() != "" }
