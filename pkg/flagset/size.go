package flagset

import (
	"fmt"
	"strconv"
	"strings"
)

// A Size is a positive number of bytes, written with an optional unit K, M, G or T (powers of
// 1024), as in 512M, 512MB or 512MiB. *Size is a pflag.Value.
type Size int64

const units = "KMGT"

// Set parses s. It accepts lower-case units, a B after the number or unit, and iB after the unit.
func (z *Size) Set(s string) error {
	digits, shift := strings.TrimSuffix(strings.ToUpper(s), "B"), 0
	unit := strings.TrimSuffix(digits, "I")
	if len(digits) == len(s) {
		unit = digits // an I needs a B after it
	}
	if i := len(unit) - 1; i > 0 {
		if u := strings.IndexByte(units, unit[i]); u >= 0 {
			digits, shift = unit[:i], 10*(u+1)
		}
	}
	n, err := strconv.ParseUint(digits, 10, 62-shift)
	if err != nil || n == 0 {
		return fmt.Errorf("invalid size %q: want a number such as 512M", s)
	}
	*z = Size(n << shift)
	return nil
}

// String formats z with the largest unit that divides it.
func (z *Size) String() string {
	n, unit := int64(*z), ""
	for i := 0; i < len(units) && n != 0 && n%1024 == 0; i++ {
		n, unit = n/1024, units[i:i+1]
	}
	return strconv.FormatInt(n, 10) + unit
}

func (z *Size) Type() string { return "SIZE" }

// An Offset is a number of bytes that is written like a Size but can be 0.
type Offset int64

// NoOffset means that no offset was given.
const NoOffset Offset = -1

// Set parses s, which must be 0 or a size that Size.Set accepts.
func (o *Offset) Set(s string) error {
	if strings.Trim(s, "0") == "" && s != "" {
		*o = 0
		return nil
	}
	return (*Size)(o).Set(s)
}

// String formats o like a Size, and NoOffset as an empty string.
func (o *Offset) String() string {
	if *o == NoOffset {
		return ""
	}
	return (*Size)(o).String()
}

func (o *Offset) Type() string { return "SIZE" }
