package flags

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
)

// CheckNumbers returns an error if a given number is NaN or less than the least valid value of its
// flag, which flagset.AtLeast declares.
func CheckNumbers(fs *pflag.FlagSet) (err error) {
	fs.Visit(func(f *pflag.Flag) {
		text := f.Value.String()
		least, numeric := flagset.LeastOf(f)
		v, bad := strconv.ParseFloat(text, 64)
		switch {
		case err != nil || !numeric || bad != nil:
		case math.IsNaN(v):
			err = fmt.Errorf("--%s %s: want a number", f.Name, text)
		case v < float64(least):
			err = fmt.Errorf("--%s %s: want %d or more", f.Name, text, least)
		}
	})
	return err
}

// mostGrown is the largest maximum size of records whose texts are normalised by their compatibility
// decomposition, which makes a text up to eleven times as long. Positions in it are 32-bit numbers.
const mostGrown = 186 << 20

// CheckGrowth returns an error if normalised texts can have 2 GiB or more.
func CheckGrowth(fs *pflag.FlagSet) error {
	how, most := fs.Lookup("normalize"), fs.Lookup("max-record")
	if how == nil || most == nil || how.Value.String() != "aggressive" {
		return nil
	}
	if n, ok := most.Value.(*flagset.Size); ok && *n > mostGrown {
		return fmt.Errorf("--max-record %s: want at most 186M with --normalize aggressive, which makes some texts eleven times as long", n)
	}
	return nil
}
