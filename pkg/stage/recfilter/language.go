package recfilter

import (
	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
)

// Language says which texts pass, according to their language.
type Language struct {
	Languages     []string // ISO 639 codes, or "code" for source code; if empty, all languages pass
	Confidence    float64  // minimum certainty of the language, from 0 to 1
	MinTextLength int      // minimum number of characters of a text whose language is checked
}

// defaultLanguage lets texts in all languages pass.
var defaultLanguage = Language{Confidence: 0.5, MinTextLength: 50}

// Flags registers the flags that set these options.
func (l *Language) Flags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&l.Languages, "languages", l.Languages, "drop texts in languages other than `CODES`, as in en,de; CODES are those of ISO 639, or the word code for source code")
	fs.Float64Var(&l.Confidence, "confidence", l.Confidence, "drop texts in a language less sure than `X`; X is 0 to 1")
	fs.IntVar(&l.MinTextLength, "min-text-length", l.MinTextLength, "do not check the language of texts of fewer than `N` characters")
	flagset.Assign(fs, flagset.Rules, "languages", "confidence", "min-text-length")
}
