package tool

import (
	"errors"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/wording"
)

// older says what flags of the programs that these tools come from are called here,
// or what does their work.
var older = map[string]string{
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
}

// unknown says of a flag that there is none of what was likely meant.
func (c *Command) unknown(err error, fs *pflag.FlagSet) error {
	var none *pflag.NotExistError
	if !errors.As(err, &none) {
		return usageError{flagset.ParseError(err)}
	}
	typed := none.GetSpecifiedName()
	ours, known := older[typed]
	switch near := wording.Nearest(typed, flagNames(fs)); {
	case known:
		return wording.WithHint(UsageError("%w", err), "here that is %s", ours)
	case near != "":
		return wording.WithHint(UsageError("%w", err), "did you mean --%s?", near)
	}
	return usageError{flagset.ParseError(err)}
}

// flagNames returns the long names that help shows.
func flagNames(fs *pflag.FlagSet) (all []string) {
	fs.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			all = append(all, f.Name)
		}
	})
	return all
}
