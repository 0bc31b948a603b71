// Recuniq passes on the first copy of each record, in one pass.
//
// See man/recuniq.1.
package main

import (
	"os"

	"github.com/spf13/pflag"

	_ "doppel/pkg/record/parquet"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

func main() { os.Exit(tool.Run(command(), tool.OS())) }

// options are the values of the flags.
type options struct {
	normalize                 text.Normalization
	count, duplicates, verify bool
	against, save, key, stats string
}

func command() *tool.Command {
	var o options
	return &tool.Command{
		Name:    "recuniq",
		Summary: "drop exact duplicates of records in one pass",
		Usage:   "[FILE...]",
		Shared:  tool.Whole | tool.Jobs | tool.KeepGoing | tool.Output | tool.Watch,
		Mem:     4 << 30,
		Flags: func(fs *pflag.FlagSet) {
			fs.Var(&o.normalize, "normalize", "compare texts as `HOW` makes them: conservative, balanced or aggressive")
			fs.BoolVarP(&o.count, "count", "c", false, "write the number of copies and a TAB before each record, at the end")
			fs.BoolVarP(&o.duplicates, "duplicates", "d", false, "write the later copies instead of the first ones")
			fs.BoolVar(&o.verify, "verify", false, "compare bytes, not only hashes")
			fs.StringVar(&o.against, "against", "", "drop also what has a hash in `FILE`, from --save or recsign -m exact")
			fs.StringVar(&o.save, "save", "", "write the hashes of what is new to `FILE`")
			fs.StringVar(&o.key, "key", "", "hash by HighwayHash with the 32-byte key in `FILE`")
			fs.StringVar(&o.stats, "stats", "", "write the counts to `FILE` as a JSON object")
		},
		Run: func(e *tool.Env, args []string) error { return run(e, &o, args) },
	}
}

func run(e *tool.Env, o *options, args []string) error {
	if err := o.check(e); err != nil {
		return err
	}
	u, err := newUniq(e, o)
	if err != nil {
		return err
	}
	if err := u.know(o.against); err != nil {
		return err
	}
	if err := u.read(args); err != nil {
		return err
	}
	if err := u.settle(); err != nil {
		return err
	}
	return e.WriteStats(o.stats, u.kept, u.records-u.kept)
}

// check refuses options that exclude each other.
func (o *options) check(e *tool.Env) error {
	switch {
	case o.count && o.duplicates:
		return tool.UsageError("--count and --duplicates exclude each other")
	case o.verify && o.against != "":
		return tool.UsageError("--verify and --against exclude each other: there are no bytes to compare with")
	case o.normalize != text.None && len(e.Records.Fields) == 0 && !e.Records.Lines:
		return tool.UsageError("--normalize needs --field or --lines")
	}
	return nil
}
