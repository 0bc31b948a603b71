package option

import (
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"

	"doppel/pkg/record"
	"doppel/pkg/record/fieldpath"
	"doppel/pkg/tool"
)

// ValueFlags registers --within and --across.
func ValueFlags(fs *pflag.FlagSet, r *record.Options) {
	fs.StringVar(&r.Within, "within", r.Within, "compare only records that have the same value at this `PATH`")
	fs.StringVar(&r.Across, "across", r.Across, "compare only records that have different values at this `PATH`")
	flagset.Assign(fs, flagset.Duplicates, "within", "across")
}

// CheckValues returns an error if --within and --across cannot be used together, or if one of them
// cannot be used with the other options of the records.
func CheckValues(r *record.Options) error {
	for _, path := range []string{r.Within, r.Across} {
		switch {
		case path == "":
		case r.Within != "" && r.Across != "":
			return tool.UsageError("--within and --across cannot be used together")
		case r.Lines || r.Names:
			return tool.UsageError("%s %s: records of --lines and --files have no fields", r.FlagOf(path), path)
		case slices.Contains(r.Fields, path):
			return tool.UsageError("%s %s: --field names the same path", r.FlagOf(path), path)
		case fieldpath.IntoArray(path):
			return tool.UsageError("%s %s leads into an array: want a path to one value", r.FlagOf(path), path)
		}
	}
	return nil
}
