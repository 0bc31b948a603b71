package flagset

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

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

// ValueError rewords the error that f.Value.Set(value) returned, as ParseError does, but without
// the name of the flag.
func ValueError(f *pflag.Flag, value string, err error) error {
	if want := validValues(f.Value.Type(), err); want != "" {
		return fmt.Errorf("%q: %s", value, want)
	}
	return err
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
