// Package flagset makes arguments of options and options of arguments.
//
// Options are structs that register their fields as flags (Flagged). From that
// follow the arguments by which one program hands its options to another (Args),
// and the flags that one program offers on behalf of another (Offer). It also has
// the values that pflag lacks, and says in words what is wrong with one.
package flagset

import (
	"slices"
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
		values := elements(f)
		if !slices.Contains(always, f.Name) && slices.Equal(values, elements(before.Lookup(f.Name))) {
			return
		}
		if f.Value.Type() == wordList {
			values = []string{strings.Join(values, ",")}
		}
		for _, value := range values {
			if arg := "--" + f.Name; f.Value.Type() == "bool" && value == "true" {
				args = append(args, arg)
			} else {
				args = append(args, arg+"="+value)
			}
		}
	})
	return args
}

// ArgsOf is Args for the flags of these names alone.
func ArgsOf(o, preset Flagged, names ...string) []string {
	return Args(some{o, names}, some{preset, names})
}

// some are the options of these names.
type some struct {
	Flagged
	names []string
}

func (s some) Flags(fs *pflag.FlagSet) { Offer(fs, s.Flagged, s.names...) }

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

func (s twin) Set(v string) error {
	if err := s.other.Set(v); err != nil {
		return err
	}
	return s.Value.Set(v)
}
