package tool

import (
	"errors"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/wording"
)

// equivalents maps flags of the programs that these tools replace to their equivalents here.
var equivalents = map[string]string{
	"num-hashes":    "--slots N",
	"num-perm":      "--slots N",
	"shingle-size":  "--shingle cN, or wN of words",
	"ngram":         "--shingle wN",
	"word-shingles": "--shingle wN",
	"rows-per-band": "--rows N",
	"stats-only":    "--dry-run of doppel fuzzy and doppel exact",
	"dry-run":       "what doppel files and doppel mail do without --yes",
	"delete":        "--remove of doppel files and doppel mail",
	"hardlink":      "--link of doppel files",
	"column":        "--field PATH",
	"text-column":   "--field PATH",
	"text-field":    "--field PATH",
	"similarity":    "--threshold T",
	"input":         "the operands, as in 'doppel fuzzy FILE'",
	"i":             "the operands, as in 'doppel fuzzy FILE'",
	"f":             "--field PATH",
	"F":             "--field PATH",
	"n":             "--normalize conservative of doppel exact",
	"json":          "--stats json of doppel fuzzy, doppel exact and doppel passages",
}

// parseError returns the error of arguments that do not parse, with a hint at the flag likely
// meant.
func parseError(err error, fs *pflag.FlagSet) error {
	if none, ok := errors.AsType[*pflag.NotExistError](err); ok {
		typed := none.GetSpecifiedName()
		if ours, known := equivalents[typed]; known {
			return wording.WithHint(UsageError("%w", err), "here that is %s", ours)
		}
		var shown []string
		fs.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				shown = append(shown, f.Name)
			}
		})
		if near := wording.Nearest(typed, shown); near != "" {
			return wording.WithHint(UsageError("%w", err), "did you mean --%s?", near)
		}
	}
	if lacks, ok := errors.AsType[*pflag.ValueRequiredError](err); ok && lacks.GetSpecifiedName() == "j" { // --json was once called -j
		return wording.WithHint(UsageError("%w", err), "-j N is the number of threads; objects are written with --json")
	}
	return usageError{flagset.ParseError(err)}
}
