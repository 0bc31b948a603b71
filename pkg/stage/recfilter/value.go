package recfilter

import (
	"fmt"
	"math"
	"strconv"
)

// A Limit is a number that a metric is held against. The zero value is none. It
// is a pflag.Value.
type Limit struct {
	Value float64
	Given bool
}

// Set parses s.
func (l *Limit) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) {
		return fmt.Errorf("%q is not a number", s)
	}
	*l = Limit{x, true}
	return nil
}

// String formats l; it is "" for none.
func (l *Limit) String() string {
	if !l.Given {
		return ""
	}
	return strconv.FormatFloat(l.Value, 'g', -1, 64)
}

// Type names the value in help.
func (l *Limit) Type() string { return "float64" }

// A Choice is what becomes of a rule. It is a pflag.Value, a boolean flag that
// may be left out.
type Choice int

// The choices.
const (
	asPreset Choice = iota // the rule is there if a preset has it
	off
	on
)

// Set parses a boolean.
func (c *Choice) Set(s string) error {
	yes, err := strconv.ParseBool(s)
	if *c = off; yes {
		*c = on
	}
	return err
}

// String formats c; it is "" for asPreset.
func (c *Choice) String() string { return [...]string{asPreset: "", off: "false", on: "true"}[*c] }

// Type names the value in help.
func (c *Choice) Type() string { return "bool" }
