package config

import (
	"fmt"
	"strconv"
	"strings"
)

// An argList is arguments of a command in the making.
type argList []string

func (a *argList) add(flag string, value any) {
	*a = append(*a, fmt.Sprintf("--%s=%v", flag, value))
}

// Args returns the arguments of recuniq that do what the section says.
func (x *Exact) Args() []string {
	var a argList
	if x.Field != "" {
		a.add("field", x.Field)
	}
	if x.Normalize {
		a.add("normalize", "conservative")
	}
	return a
}

// Args returns the arguments of doppel fuzzy that do what the section says.
func (f *Fuzzy) Args() []string {
	var a argList
	if f.Threshold > 0 {
		a.add("threshold", f.Threshold)
	}
	if f.Field != "" {
		a.add("field", f.Field)
	}
	if f.ShingleSize > 0 || f.WordShingles {
		a.add("shingle", f.shingle())
	}
	for _, n := range []struct {
		flag  string
		value int
	}{{"slots", f.NumHashes}, {"bands", f.Bands}, {"rows", f.RowsPerBand}} {
		if n.value > 0 {
			a.add(n.flag, n.value)
		}
	}
	return a
}

// shingle returns the kind and size as doppel writes them; fastdedup's size
// is 3 and its kind code points, unless words are asked for.
func (f *Fuzzy) shingle() string {
	kind, size := "c", 3
	if f.WordShingles {
		kind = "w"
	}
	if f.ShingleSize > 0 {
		size = f.ShingleSize
	}
	return kind + strconv.Itoa(size)
}

// Args returns the arguments of recfilter, beside --apply, that do what the
// section says: one list, or two where the filters look at different fields.
func (f *Filters) Args() (lists [][]string) {
	l, q := f.Language.args(), f.Quality.args()
	switch {
	case f.Language == nil && f.Quality == nil:
		return nil
	case f.Quality == nil:
		return [][]string{withField(l, f.Language.Field)}
	case f.Language == nil:
		return [][]string{withField(q, f.Quality.Field)}
	case f.Language.Field == f.Quality.Field:
		return [][]string{withField(append(l, q...), f.Quality.Field)}
	}
	return [][]string{withField(l, f.Language.Field), withField(q, f.Quality.Field)}
}

func withField(a argList, field string) []string {
	if field != "" {
		a.add("field", field)
	}
	return a
}

func (l *Language) args() (a argList) {
	if l == nil {
		return nil
	}
	languages := "eng"
	if len(l.Allowed) > 0 {
		languages = strings.Join(l.Allowed, ",")
	}
	a.add("languages", languages)
	optional(&a, "confidence", l.Confidence)
	optional(&a, "min-text-length", l.MinLength)
	return a
}

func (q *Quality) args() (a argList) {
	if q == nil {
		return nil
	}
	preset := "default"
	if q.Preset != "" {
		preset = q.Preset
	}
	a.add("preset", preset)
	optional(&a, "min-length", q.MinLength)
	optional(&a, "max-length", q.MaxLength)
	optional(&a, "min-word-count", q.MinWordCount)
	optional(&a, "max-word-count", q.MaxWordCount)
	optional(&a, "max-repetition-ratio", q.MaxRepetitionRatio)
	optional(&a, "min-unique-words-ratio", q.MinUniqueWordsRatio)
	optional(&a, "max-url-ratio", q.MaxURLRatio)
	optional(&a, "max-special-char-ratio", q.MaxSpecialCharRatio)
	optional(&a, "min-avg-word-length", q.MinAvgWordLength)
	optional(&a, "reject-html", q.RejectHTML)
	optional(&a, "filter-profanity", q.FilterProfanity)
	for _, rule := range q.Rules {
		a.add("rule", rule)
	}
	return a
}

func optional[T any](a *argList, flag string, value *T) {
	if value != nil {
		a.add(flag, *value)
	}
}
