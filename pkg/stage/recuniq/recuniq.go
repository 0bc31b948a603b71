// Package recuniq passes on the first copy of each record, in one pass.
//
// See man/recuniq.1.
package recuniq

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	_ "doppel/pkg/record/parquet"
	"doppel/pkg/text"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Options say what a copy is, and which copies are written.
type Options struct {
	flags.Common
	Normalize  text.Normalization // texts are compared as it makes them
	Count      bool               // the number of copies stands before each record, and all wait for the end
	Duplicates bool               // the later copies are written instead of the first ones
	Verify     bool               // bytes are compared, not only hashes
	Against    string             // a file of hashes, of which copies are dropped too
	Save       string             // where the hashes of what is new are written
	Key        string             // a file of 32 bytes, the key of HighwayHash
	Stats      string             // where the counts are written
}

// Default returns the options of a run without flags.
func Default() Options { return Options{Common: flags.Common{Mem: 4 << 30}} }

// Command returns the tool.
func Command() *tool.Command {
	return &tool.Command{
		Name:    "recuniq",
		Summary: "drop exact duplicates of records in one pass",
		Usage:   "[FILE...]",
		Options: new(Default()),
	}
}

// Flags registers the flags.
func (o *Options) Flags(fs *pflag.FlagSet) {
	fs.Var(&o.Normalize, "normalize", "compare texts as normalised by `HOW`: conservative, balanced or aggressive")
	fs.BoolVarP(&o.Count, "count", "c", o.Count, "write the number of copies and a TAB before each record, at the end")
	fs.BoolVarP(&o.Duplicates, "duplicates", "d", o.Duplicates, "write the later copies instead of the first ones")
	fs.BoolVar(&o.Verify, "verify", o.Verify, "compare bytes, not only hashes")
	fs.StringVar(&o.Against, "against", o.Against, "drop also what has a hash in `FILE`, from --save or recsign -m exact")
	fs.StringVar(&o.Save, "save", o.Save, "write the hashes of what is new to `FILE`")
	fs.StringVar(&o.Key, "key", o.Key, "hash by HighwayHash with the 32-byte key in `FILE`")
	fs.StringVar(&o.Stats, "stats", o.Stats, "write the counts to `FILE` as a JSON object")
	flags.MarkWritten(fs, "save", "stats")
	o.Common.Flags(fs, flags.Whole|flags.Memory|flags.Jobs|flags.KeepGoing|flags.Dataset|flags.Watch)
}

// Args returns the arguments that make these options of the default ones.
func (o *Options) Args() []string { return flagset.Args(o, new(Default())) }

// Check refuses options that exclude each other.
func (o *Options) Check() error {
	switch {
	case o.Count && o.Duplicates:
		return tool.UsageError("--count and --duplicates exclude each other")
	case o.Verify && o.Against != "":
		return tool.UsageError("--verify and --against exclude each other: there are no bytes to compare with")
	case o.Normalize != text.None && o.whole():
		return tool.UsageError("--normalize needs --field or --lines")
	}
	return nil
}

// whole reports whether records are compared, not their texts.
func (o *Options) whole() bool { return len(o.Records.Fields) == 0 && !o.Records.Lines }

// Idle returns the flags that do nothing.
func (o *Options) Idle() flags.Idle {
	i := o.Common.Idle()
	i.When(o.Save == "", "without --save", "id", "with-filename")
	return i
}

// Run drops the duplicates.
func (o *Options) Run(e *tool.Env, operands []string) error {
	u, err := newUniq(e, o)
	if err != nil {
		return err
	}
	if err := u.know(o.Against); err != nil {
		return err
	}
	if err := u.read(operands); err != nil {
		return err
	}
	if err := u.settle(); err != nil {
		return err
	}
	return e.WriteStats(o.Stats, tool.Counts{Kept: u.kept, Dropped: u.records - u.kept, Unread: e.Unread()})
}
