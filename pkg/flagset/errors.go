package flagset

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// ParseError rewords an error of the arguments to match other messages. Values of our own
// types explain themselves; for numbers pflag returns the errors of strconv, which are
// meant for programmers.
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

// ValueError rewords the error of setting a flag to a value in the same way, without the
// flag's name.
func ValueError(f *pflag.Flag, value string, err error) error {
	if want := validValues(f.Value.Type(), err); want != "" {
		return fmt.Errorf("%q: %s", value, want)
	}
	return err
}

// validValues returns the valid values of a type, or "" for types of our own.
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
