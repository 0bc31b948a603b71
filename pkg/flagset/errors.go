package flagset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Parse sets the flags that the arguments give. Unlike the method of pflag, it returns an error if a
// value or an operand is empty: an empty variable of a shell, as in --against "$OLD", does not mean
// that the flag is absent. It also returns an error if a flag that names one file or field is given
// with two names, because users would expect both to have an effect.
func Parse(fs *pflag.FlagSet, args []string) error {
	err := fs.ParseAll(args, func(f *pflag.Flag, value string) error {
		if err := checkGiven(f, value); err != nil {
			return fmt.Errorf("%s is %w", typed(f, args), err)
		}
		if f.Changed && f.Value.Type() == "string" && f.Value.String() != value && slices.Contains(nouns, placeholder(f)) {
			return fmt.Errorf("%s %s: already given as %s; want one %s", typed(f, args), value, f.Value, placeholder(f))
		}
		return fs.Set(f.Name, value)
	})
	if err == nil && slices.Contains(fs.Args(), "") {
		return errors.New("an operand is empty: want a name")
	}
	return err
}

// nouns are the placeholders of the values that name a file or a field.
var nouns = []string{"FILE", "DIR", "KEYS", "LIST", "LISTING", "PATH", "SIGS"}

// placeholder returns the name of a flag's value in usage messages.
func placeholder(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	return name
}

// typed returns the name by which the arguments give a flag: with one dash only if they do not
// contain the long name.
func typed(f *pflag.Flag, args []string) string {
	long := "--" + f.Name
	isLong := func(arg string) bool { return arg == long || strings.HasPrefix(arg, long+"=") }
	if f.Shorthand != "" && !slices.ContainsFunc(args, isLong) {
		return "-" + f.Shorthand
	}
	return long
}

// Set sets a flag to a value that is not empty. Its errors have the form of the other messages, but
// do not name the flag.
func Set(f *pflag.Flag, value string) error {
	err := checkGiven(f, value)
	if err == nil {
		err = f.Value.Set(value)
	}
	if err == nil {
		return nil
	}
	if want := validValues(f.Value.Type(), err); want != "" {
		return fmt.Errorf("%q: %s", value, want)
	}
	return err
}

// checkGiven returns an error if the value of a flag is empty.
func checkGiven(f *pflag.Flag, value string) error {
	if value != "" {
		return nil
	}
	return fmt.Errorf("empty: want %s", cmp.Or(placeholder(f), "a value"))
}

// ParseError rewords an error from parsing arguments so that it matches the other messages. It
// keeps the errors of this project's value types, but replaces the errors of strconv, which pflag
// returns for numbers, because users would not understand them.
func ParseError(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	flag := bad.GetFlag()
	if want := validValues(flag.Value.Type(), bad.Unwrap()); want != "" {
		return fmt.Errorf("--%s %q: %s", flag.Name, bad.GetValue(), want)
	}
	return fmt.Errorf("--%s: %w", flag.Name, bad.Unwrap())
}

// validValues describes the valid values of a numeric or boolean flag. It returns "" for other
// types, whose errors need no rewording.
func validValues(kind string, err error) string {
	switch kind = strings.TrimRight(kind, "0123456789"); {
	case errors.Is(err, strconv.ErrRange):
		return "out of range"
	case kind == "float":
		return "want a number"
	case kind == "int":
		return "want a whole number"
	case kind == "uint":
		return "want a whole number, 0 or more"
	case kind == "bool":
		return "want true or false"
	}
	return ""
}
