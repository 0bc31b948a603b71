package pipeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A setter takes the values of a key.
type setter = func(values []string) error

// anyWord sets a string.
func anyWord(to *string) setter {
	return func(v []string) error {
		*to = v[0]
		return nil
	}
}

// number hands on a whole number above 0.
func number(set func(int) error) setter {
	return func(v []string) error {
		n, err := strconv.Atoi(v[0])
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number above 0", v[0])
		}
		return set(n)
	}
}

// oneOf hands on which of some words it is.
func oneOf(set func(int), words ...string) setter {
	return func(v []string) error {
		n := slices.Index(words, v[0])
		if n < 0 {
			return fmt.Errorf("%q is none of %s", v[0], strings.Join(words, ", "))
		}
		set(n)
		return nil
	}
}
