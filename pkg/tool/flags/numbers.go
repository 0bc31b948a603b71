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
