package flagset

import (
	"fmt"
	"slices"
	"strings"
)

// Names says what messages call files: by the name under which a file is opened
// the one under which the user knows it. It is a pflag.SliceValue, of elements
// FILE=NAME, where FILE has no "=".
type Names map[string]string

// Set adds an element.
func (n *Names) Set(s string) error {
	file, name, ok := strings.Cut(s, "=")
	if !ok {
		return fmt.Errorf("%q is not FILE=NAME", s)
	}
	if *n == nil {
		*n = Names{}
	}
	(*n)[file] = name
	return nil
}

// GetSlice returns the elements, sorted.
func (n *Names) GetSlice() (all []string) {
	for file, name := range *n {
		all = append(all, file+"="+name)
	}
	slices.Sort(all)
	return all
}

// Append adds an element.
func (n *Names) Append(s string) error { return n.Set(s) }

// Replace replaces all elements.
func (n *Names) Replace(all []string) error {
	*n = nil
	for _, s := range all {
		if err := n.Set(s); err != nil {
			return err
		}
	}
	return nil
}

// String lists the elements.
func (n *Names) String() string { return fmt.Sprint(n.GetSlice()) }

// Type names the value in help.
func (n *Names) Type() string { return "FILE=NAME" }
