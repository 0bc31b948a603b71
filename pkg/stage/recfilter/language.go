package recfilter

import (
	"unicode/utf8"

	"github.com/spf13/pflag"

	"doppel/pkg/language"
	"doppel/pkg/tool"
	"doppel/pkg/wording"
)

// Language says which languages pass.
type Language struct {
	Languages     []string // codes of ISO 639, or code; none: all pass
	Confidence    float64  // how certain the language must be, 0 to 1
	MinTextLength int      // texts of fewer characters may be of any
}

// defaultLanguage lets all languages pass.
var defaultLanguage = Language{Confidence: 0.5, MinTextLength: 50}

// Flags registers the flags.
func (l *Language) Flags(fs *pflag.FlagSet) {
	fs.StringSliceVar(&l.Languages, "languages", l.Languages, "drop texts in other languages than these: ISO 639 `CODES`, or code for programs")
	fs.Float64Var(&l.Confidence, "confidence", l.Confidence, "drop texts whose language is less certain than `X`, 0 to 1")
	fs.IntVar(&l.MinTextLength, "min-text-length", l.MinTextLength, "let texts of fewer than `N` characters be of any language")
}

// check refuses what means nothing.
func (l *Language) check() error {
	switch {
	case !(0 <= l.Confidence && l.Confidence <= 1):
		return tool.UsageError("--confidence %v: want 0 to 1", l.Confidence)
	case l.MinTextLength < 0:
		return tool.UsageError("--min-text-length %d: want 0 or more", l.MinTextLength)
	case len(l.Languages) == 0 && l.given():
		return tool.UsageError("--confidence and --min-text-length need --languages")
	}
	return nil
}

// given reports whether anything is asked for.
func (l *Language) given() bool {
	return len(l.Languages) > 0 || l.Confidence != defaultLanguage.Confidence || l.MinTextLength != defaultLanguage.MinTextLength
}

// set returns the languages that pass, or nil for all.
func (l *Language) set() (map[string]bool, error) {
	var set map[string]bool
	for _, name := range l.Languages {
		code, err := language.Parse(name)
		if err != nil {
			return nil, wording.WithHint(tool.UsageError("--languages: %w", err), "recfilter(1) lists the languages")
		}
		if set == nil {
			set = map[string]bool{}
		}
		set[code] = true
	}
	return set, nil
}

// shorter reports whether a text has fewer than n characters.
func shorter(text []byte, n int) bool {
	return len(text) < n || len(text) < utf8.UTFMax*n && utf8.RuneCount(text) < n
}
