package flags

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"

	"doppel/pkg/flagset"
	"doppel/pkg/record"
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

// Decomposing returns the flag that makes a tool decompose texts, with its value, or "". The
// arguments are the values of --normalize and --unicode.
func Decomposing(normalize, form string) string {
	switch {
	case normalize == "aggressive":
		return "--normalize " + normalize
	case form != "":
		return "--unicode " + form
	}
	return ""
}

// CheckGrowth returns an error if normalised texts can have 2 GiB or more.
func CheckGrowth(fs *pflag.FlagSet) error {
	value := func(flag string) string {
		if f := fs.Lookup(flag); f != nil {
			return f.Value.String()
		}
		return ""
	}
	how, most := Decomposing(value("normalize"), value("unicode")), fs.Lookup("max-record")
	if how == "" || most == nil {
		return nil
	}
	if n, ok := most.Value.(*flagset.Size); ok && *n > record.MaxDecomposed {
		return fmt.Errorf("--max-record %s: want at most 186M with %s, which makes some texts eleven times as long", n, how)
	}
	return nil
}
