package tool

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/msg"
)

// equivalents maps flags of other deduplication programs to the corresponding flags of these tools.
var equivalents = map[string]string{
	"num-hashes":    "--slots N",
	"num-perm":      "--slots N",
	"shingle-size":  "--shingle cN, or wN for words",
	"ngram":         "--shingle wN",
	"word-shingles": "--shingle wN",
	"rows-per-band": "--rows N",
	"stats-only":    "--dry-run, in doppel fuzzy and doppel exact",
	"delete":        "--remove, in doppel files and doppel mail",
	"hardlink":      "--link, in doppel files",
	"column":        "--field PATH",
	"text-column":   "--field PATH",
	"text-field":    "--field PATH",
	"similarity":    "--threshold T",
	"input":         "an operand, as in 'doppel fuzzy FILE'",
	"i":             "an operand, as in 'doppel fuzzy FILE'",
	"f":             "--field PATH",
	"F":             "--field PATH",
	"n":             "--normalize conservative, in doppel exact",
	"json":          "--stats json, in doppel fuzzy, doppel exact and doppel passages",
}

// nameFlag returns err, or, if its message begins with the name of a flag, as messages of packages
// without flags do, an error whose message begins with the flag as it is typed.
func nameFlag(fs *pflag.FlagSet, err error) error {
	if name, _, _ := strings.Cut(err.Error(), " "); fs.Lookup(name) != nil {
		return fmt.Errorf("--%w", err)
	}
	return err
}

// parseError converts an error from parsing flags to a usage error. For an unknown flag, it adds a
// hint that names the flag probably meant.
func parseError(err error, fs *pflag.FlagSet) error {
	if none, ok := errors.AsType[*pflag.NotExistError](err); ok {
		typed := none.GetSpecifiedName()
		if (typed == "n" || typed == "dry-run") && fs.Lookup("yes") != nil {
			return msg.WithHint(UsageError("%w", err), "without --yes, the command only shows what it would do")
		}
		if ours, known := equivalents[typed]; known {
			return msg.WithHint(UsageError("%w", err), "the equivalent is %s", ours)
		}
		var shown []string
		fs.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				shown = append(shown, f.Name)
			}
		})
		if near := msg.Nearest(typed, shown); near != "" && len(typed) > 1 { // every letter is near some flag
			return msg.WithHint(UsageError("%w", err), "did you mean --%s?", near)
		}
	}
	// -j was once the short form of --json, so users may give it without a number.
	if lacks, ok := errors.AsType[*pflag.ValueRequiredError](err); ok && lacks.GetSpecifiedName() == "j" {
		return msg.WithHint(UsageError("%w", err), "-j N sets the number of threads; --json writes objects")
	}
	return UsageError("%w", flagset.ParseError(err))
}
