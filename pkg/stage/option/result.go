package option

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/record/write"
	"doppel/pkg/tool/flags"
)

// Result holds the options of what is written about the records, besides the destination: which form the
// kept records have, and what is written of the removed ones. A command holds one Result and passes it
// whole to the stage that writes. A stage that can do only a part of it asks Needs before, so an option
// that is added here is never ignored.
type Result struct {
	MinLeft  write.MinLeft // drop a record that is cut if less text than this is left
	OnlyIDs  bool          // write lines of ids, not records
	Annotate bool          // write all records, annotated with the decisions
	Sizes    Sizes
	Removed  string // file for the removed records and the reasons; "" for none
}

// Flags registers the flags that set these options.
func (r *Result) Flags(fs *pflag.FlagSet) {
	fs.Var(&r.MinLeft, "min-left", "with --cut: drop a cut record if less than `BYTES|PERCENT` of its text is left, as in 200 or 50%")
	fs.BoolVar(&r.OnlyIDs, "only-ids", r.OnlyIDs, "write the ids of the kept records, not the records")
	fs.BoolVar(&r.Annotate, "annotate", r.Annotate, "write all records, with fields that mark duplicates; the fields are dup_group, dup_size, dup_of and dup_score")
	r.Sizes.Flags(fs)
	fs.StringVar(&r.Removed, "removed", r.Removed, "write the removed records, and why, to `FILE` as JSON lines")
	flags.MarkWritten(fs, "removed")
	flagset.Assign(fs, flagset.Actions, "min-left")
	flagset.Assign(fs, flagset.Output, "only-ids", "annotate")
	flagset.Assign(fs, flagset.Evidence, "removed")
}

// Needs returns the flag of the first option that is set and that is not in the list of flags, or "". The
// list has the flags of the options that the caller can serve.
func (r *Result) Needs(served ...string) string {
	for _, arg := range flagset.Args(r, &Result{}) {
		if name, _, _ := strings.Cut(arg[len("--"):], "="); !slices.Contains(served, name) {
			return name
		}
	}
	return ""
}
