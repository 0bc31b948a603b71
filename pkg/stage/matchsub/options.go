package matchsub

import (
	"github.com/spf13/pflag"

	"doppel/pkg/tool"
)

// options are the values of the flags.
type options struct {
	least   int
	most    int
	bytes   bool
	difflib bool
	maximal bool
	header  bool
	records []string
	show    showOptions
}

func (o *options) register(fs *pflag.FlagSet) {
	fs.IntVarP(&o.least, "threshold", "r", 5, "write matches of at least `N` characters")
	fs.IntVarP(&o.most, "matches", "n", -1, "write at most `N` matches a pair, the largest")
	fs.BoolVar(&o.bytes, "bytes", false, "count and compare bytes, not characters")
	fs.BoolVar(&o.difflib, "difflib", false, "lose the matches that difflib's autojunk loses")
	fs.BoolVar(&o.maximal, "all-matches", false, "write every maximal match, crossing ones too")
	fs.BoolVar(&o.header, "header", false, "write the names of the columns first")
	fs.StringSliceVar(&o.records, "records", nil, "pairs name records in `FILE`, not files")
	o.show.flags(fs)
}

func (o *options) check(e *tool.Env) error {
	switch {
	case o.least < 1:
		return tool.UsageError("--threshold %d: want at least 1", o.least)
	case o.most < -1:
		return tool.UsageError("--matches %d: want 0 or more", o.most)
	case o.difflib && o.maximal:
		return tool.UsageError("--difflib and --all-matches exclude each other")
	case o.header && e.JSON:
		return tool.UsageError("--header and --json exclude each other")
	case o.show.on && (o.bytes || o.maximal || o.header || e.JSON):
		return tool.UsageError("--show excludes --bytes, --all-matches, --header and --json")
	}
	return o.show.check()
}
