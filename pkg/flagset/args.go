// Package flagset converts options to command-line arguments and back.
//
// Options are structs that register their fields as flags; they implement Flagged. Args converts
// options to arguments, so that one program can pass them to another. Offer lets a program accept
// the flags of another program. The package also has value types that pflag lacks, and rewords the
// errors for invalid values.
package flagset

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Flagged is a set of options that registers its fields as flags, with their present values as
// defaults.
type Flagged interface {
	Flags(*pflag.FlagSet)
}

// flagsOf returns the flags that o registers, in order.
func flagsOf(o Flagged) *pflag.FlagSet {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.SortFlags = false
	o.Flags(fs)
	return fs
}

// Args returns the arguments that turn the options in preset into the options in o. It returns the
// flags whose values differ and the flags that must always be included, in order of registration. A
// list becomes one argument per element, so that an element can be any string. A list of type
// wordList, however, becomes a single argument.
func Args(o, preset Flagged, always ...string) (args []string) {
	before := flagsOf(preset)
	flagsOf(o).VisitAll(func(f *pflag.Flag) {
		if slices.Contains(always, f.Name) || !slices.Equal(Values(f), Values(before.Lookup(f.Name))) {
			args = append(args, argsOf(f)...)
		}
	})
	return args
}

// argsOf returns the arguments that give a flag its value.
func argsOf(f *pflag.Flag) (args []string) {
	values := Values(f)
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
	return args
}

// Given returns the arguments that set the flags of fs that were set, except the named ones, in order
// of registration.
func Given(fs *pflag.FlagSet, except ...string) (args []string) {
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Changed && !slices.Contains(except, f.Name) {
			args = append(args, argsOf(f)...)
		}
	})
	return args
}

// ArgsOf is like Args, but considers only the named flags.
func ArgsOf(o, preset Flagged, names ...string) []string {
	return Args(namedOptions{o, names}, namedOptions{preset, names})
}

// A namedOptions is a Flagged that registers only the named flags of another Flagged.
type namedOptions struct {
	Flagged
	names []string
}

func (s namedOptions) Flags(fs *pflag.FlagSet) { Offer(fs, s.Flagged, s.names...) }

// Values returns the value of a flag: one string, or the elements of a list.
func Values(f *pflag.Flag) []string {
	value := f.Value
	for both, ok := value.(sharedValue); ok; both, ok = value.(sharedValue) {
		value = both.Value
	}
	if list, ok := value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// wordList is the pflag type of a list of words from a fixed vocabulary. Such a list is one
// argument, in which the words are separated by commas.
const wordList = "stringSlice"

// Offer adds the flags of another Flagged to fs: the named flags or, if no names are given, all. If
// fs already has a flag with the same name, that flag then sets the options of both.
func Offer(fs *pflag.FlagSet, from Flagged, names ...string) {
	flagsOf(from).VisitAll(func(f *pflag.Flag) {
		if len(names) > 0 && !slices.Contains(names, f.Name) {
			return
		}
		if first := fs.Lookup(f.Name); first != nil {
			first.Value = sharedValue{first.Value, f.Value}
			return
		}
		fs.AddFlag(f)
	})
}

// OfferExcept is like Offer, but adds all flags except the named ones.
func OfferExcept(fs *pflag.FlagSet, from Flagged, names ...string) {
	var rest []string
	flagsOf(from).VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(names, f.Name) {
			rest = append(rest, f.Name)
		}
	})
	Offer(fs, from, rest...)
}

// A sharedValue is the value of a flag that sets two options.
type sharedValue struct {
	pflag.Value
	other pflag.Value
}

func (s sharedValue) Set(v string) error {
	if err := s.other.Set(v); err != nil {
		return err
	}
	return s.Value.Set(v)
}
