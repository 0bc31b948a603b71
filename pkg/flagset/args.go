// Package flagset makes arguments of options and options of arguments.
//
// Options are structs that register their fields as flags (Flagged). From that
// follow the arguments by which one program hands its options to another (Args),
// and the flags that one program offers on behalf of another (Offer). It also has
// the values that pflag lacks, and says in words what is wrong with one.
package flagset

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Flagged is what registers its fields as flags, their present values the
// defaults.
type Flagged interface {
	Flags(*pflag.FlagSet)
}

// flagsOf returns the flags that o registers, in that order.
func flagsOf(o Flagged) *pflag.FlagSet {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.SortFlags = false
	o.Flags(fs)
	return fs
}

// Args returns the arguments that make of the options preset the options o: the
// flags whose values differ, in the order in which they are registered, and
// those that are named, which are given always. A list is one argument an
// element, so that an element may hold anything, unless it is one of words.
func Args(o, preset Flagged, always ...string) (args []string) {
	before := flagsOf(preset)
	flagsOf(o).VisitAll(func(f *pflag.Flag) {
		old := before.Lookup(f.Name)
		if slices.Contains(always, f.Name) || !slices.Equal(elements(f), elements(old)) {
			args = append(args, arguments(f)...)
		}
	})
	return args
}

// elements returns the value of a flag: one string, or those of a list.
func elements(f *pflag.Flag) []string {
	value := f.Value
	for both, ok := value.(twin); ok; both, ok = value.(twin) {
		value = both.Value
	}
	if list, ok := value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// wordList is the type of a list of words of a fixed vocabulary, which are given
// with commas between them.
const wordList = "stringSlice"

func arguments(f *pflag.Flag) (args []string) {
	if f.Value.Type() == wordList {
		return []string{"--" + f.Name + "=" + strings.Join(elements(f), ",")}
	}
	for _, value := range elements(f) {
		switch {
		case f.Value.Type() == "bool" && value == strconv.FormatBool(true):
			args = append(args, "--"+f.Name)
		default:
			args = append(args, "--"+f.Name+"="+value)
		}
	}
	return args
}

// Offer registers the flags of these names that from has, all if none is named.
// What is set through one of them is set in from, and so it is passed on. A name
// that fs has already is set in both.
func Offer(fs *pflag.FlagSet, from Flagged, names ...string) {
	flagsOf(from).VisitAll(func(f *pflag.Flag) {
		if len(names) > 0 && !slices.Contains(names, f.Name) {
			return
		}
		if first := fs.Lookup(f.Name); first != nil {
			first.Value = twin{first.Value, f.Value}
			return
		}
		fs.AddFlag(f)
	})
}

// OfferExcept registers all flags of from but those of these names.
func OfferExcept(fs *pflag.FlagSet, from Flagged, names ...string) {
	var rest []string
	flagsOf(from).VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(names, f.Name) {
			rest = append(rest, f.Name)
		}
	})
	Offer(fs, from, rest...)
}

// A twin is one flag for two values.
type twin struct {
	pflag.Value
	other pflag.Value
}

// Set sets both.
func (s twin) Set(v string) error {
	if err := s.other.Set(v); err != nil {
		return err
	}
	return s.Value.Set(v)
}
