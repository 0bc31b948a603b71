// Package dupspan decides which passages of records are dropped because they occur more than
// once. It compares the texts themselves, so equality is exact.
//
// Package passage finds repeated passages, and package corpus does so for texts that exceed memory.
// This package passes them the texts of records and the runs of passages in keys (see passage.Run),
// and turns the repeats that they return into decisions. It reads the records twice, or three times
// with --scan. If the length of passages is in words, it reads them once more to find the byte
// positions of the kept copies.
//
// See man/dupspan.1.
package dupspan

import (
	"cmp"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/line"
	"doppel/pkg/method"
	"doppel/pkg/msg"
	"doppel/pkg/passage"
	"doppel/pkg/passage/span"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/record/write"
	"doppel/pkg/stage/lineio"
	"doppel/pkg/stage/option"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say which passages are dropped.
type Options struct {
	flags.Common
	Data      []string      // files of the records
	Scan      bool          // find the runs in the records instead of reading keys
	Length    string        // with Scan: minimum length of a passage, as N for bytes or wN for words
	Normalize string        // with Scan: how words are normalised; "" means balanced
	Against   []string      // with Scan: files of old records; drop only passages that also occur in these records
	Old       option.Old    // how the old records are read
	Reference []string      // files of old records; if given, Against names the files with the keys of these records
	Keep      string        // which copies of a passage to keep: first or none
	Copies    int           // number of copies of a passage to keep
	Bridge    float64       // drop text between passages if this share of the span is repeated; 0 to keep such text
	Snap      span.Snap     // where dropped spans may begin and end
	MinLeft   write.MinLeft // drop a whole record if less than this would be left of its text
	Counts    bool          // add the number of copies to the reasons
}

// Default returns the options that apply if no flags are given.
func Default() Options {
	o := Options{Common: flags.OfText(), Length: "200", Keep: "first", Copies: 1, Snap: span.Word}
	o.Mem = 256 << 20
	return o
}

// Command returns a new description of this program, with default options.
var Command = tool.New("dupspan", "decide which repeated passages of records to drop", "--records FILE [KEYS...]", Default)

// Flags registers the flags that set these options.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.Data, "records", o.Data, "read the texts from the records in `FILE`; may be repeated")
	fs.BoolVar(&o.Scan, "scan", o.Scan, "make the keys from the records instead of reading them")
	fs.StringVar(&o.Length, "length", o.Length, "with --scan: find passages of `N` bytes or more; wN means at least N words")
	fs.StringVar(&o.Normalize, "normalize", o.Normalize, "with --scan: normalise words by `HOW` (default balanced); one of: balanced or conservative; conservative ignores case, balanced also punctuation and symbols")
	fs.StringArrayVar(&o.Against, "against", o.Against, "with --scan: drop only passages that are also in `FILE`; FILE is a dataset; may be repeated")
	o.Old.Flags(fs)
	fs.StringArrayVar(&o.Reference, "against-records", o.Reference, "read the texts for the keys of --against from the records in `FILE`; may be repeated")
	fs.StringVar(&o.Keep, "keep", o.Keep, "keep the `COPY` of each passage: first (default) or none")
	fs.IntVar(&o.Copies, "copies", o.Copies, "keep `N` copies of each passage")
	fs.Float64Var(&o.Bridge, "bridge", o.Bridge, "also drop the text between two passages if at least the share `X` of the whole span is repeated")
	fs.Var(&o.Snap, "snap", "cut between `UNITS`: byte, utf8, word (default) or line")
	option.ValueFlags(fs, &o.Records)
	fs.Var(&o.MinLeft, "min-left", "drop a whole record if less than `BYTES|PERCENT` of its text would be left, as in 200 or 50%")
	fs.BoolVar(&o.Counts, "counts", o.Counts, "add the number of copies of the passage to the reason")
	o.Common.Flags(fs, flags.Records|flags.JSON|flags.Header|flags.Memory|flags.Jobs|flags.KeepGoing|flags.Output|flags.Watch)
	flagset.Assign(fs, flagset.Duplicates, "length", "normalize")
	flagset.Assign(fs, flagset.Kept, "against", "against-records", "keep", "copies")
	flagset.Assign(fs, flagset.Actions, "bridge", "snap", "min-left")
	flagset.Assign(fs, flagset.Input, "records", "scan")
	flagset.Assign(fs, flagset.Evidence, "counts")
}

// Essential returns the flags that -h shows.
func (o *Options) Essential() []string {
	return []string{"length", "normalize", "within", "keep", "copies", "against", "snap", "records", "scan", "field", "output", "jobs"}
}

// Args returns the command-line arguments that set these options.
func (o *Options) Args() []string { return flagset.Args(o, new(Default())) }

// Run decides which passages to drop, from the keys in the operands or, with Scan, from the runs
// of the records.
func (o *Options) Run(e *tool.Env, operands []string) error {
	if err := lineio.Header(e, line.Decision{}); err != nil {
		return err
	}
	d := newData(e, o.References(), o.Data, o.Old.Options(e.Records))
	f, scheme, err := o.finder(e, d, operands)
	if err != nil || f == nil {
		return err
	}
	return cmp.Or(o.decide(e, d, f, scheme), f.Close())
}

// References returns the names of the files with the old records.
func (o *Options) References() []string {
	if len(o.Reference) > 0 {
		return o.Reference
	}
	return o.Against
}

// Check rejects options that have no effect or cannot be used together.
func (o *Options) Check() error {
	preset := Default()
	switch {
	case len(o.Data) == 0:
		return tool.UsageError("--records FILE is required; FILE must contain the records of the keys")
	case slices.Contains(o.Data, "-") || slices.Contains(o.References(), "-"):
		return msg.WithHint(tool.UsageError("--records -: want a file, because it is read more than once"), "to read standard input, use doppel passages, which copies it to a file")
	case len(o.Reference) > 0 && len(o.Against) == 0:
		return tool.UsageError("--against-records needs --against")
	case !o.Scan && (o.Length != preset.Length || o.Normalize != ""):
		return tool.UsageError("--length and --normalize need --scan: keys contain the length and the normalization")
	case !o.Scan && len(o.Against) > 0:
		return tool.UsageError("--against needs --scan")
	}
	if o.Scan {
		if _, err := method.PassageScheme(o.Length, o.Normalize); err != nil {
			return tool.UsageError("%v", err)
		}
	}
	switch {
	case o.Keep != "first" && o.Keep != "none":
		return tool.UsageError("--keep %q: want first or none", o.Keep)
	case o.Copies < 1:
		return tool.UsageError("--copies %d: want 1 or more", o.Copies)
	case o.Records.Across != "" && (o.Keep != "first" || o.Copies > 1 || len(o.Against) > 0):
		return tool.UsageError("--across keeps the first copy, so it cannot be used with --keep none, --copies or --against")
	case len(o.Against) > 0 && (o.Keep != "first" || o.Copies > 1):
		return tool.UsageError("--against drops every passage of the old records, so it cannot be used with --keep none or --copies")
	}
	if err := o.cutting(passage.Scheme{Unit: passage.Bytes, Length: 1, Window: 1}).Check(); err != nil {
		return tool.UsageError("%v", err)
	}
	return option.CheckValues(&o.Records)
}

// Idle returns the flags that have no effect with these options.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(!o.Scan, "without --scan", "length", "normalize", "against", "against-records")
	o.Old.Idle(&i, len(o.Against) > 0, &o.Records)
	i.When(len(o.Against) > 0, "with --against", "keep", "copies")
	return i
}

// cutting returns the options for cutting passages of the scheme s.
func (o *Options) cutting(s passage.Scheme) span.Options {
	return span.Options{Scheme: s, Bridge: o.Bridge, Snap: o.Snap}
}
