package flags

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// CheckNumbers returns an error if a given number is one that no flag accepts: NaN, a negative
// number, or 0 if 0 is the default, which then means that the flag is absent. Such a value is valid
// only if the help text explains it, as in "(0: no limit)".
func CheckNumbers(fs *pflag.FlagSet) (err error) {
	fs.Visit(func(f *pflag.Flag) {
		kind, text := f.Value.Type(), f.Value.String()
		v, bad := strconv.ParseFloat(text, 64)
		if err != nil || bad != nil || kind != "int" && kind != "int64" && kind != "float64" || strings.Contains(f.Usage, "("+text+":") {
			return
		}
		switch {
		case math.IsNaN(v):
			err = fmt.Errorf("--%s %s: want a number", f.Name, text)
		case v < 0 && (f.DefValue != "0" || kind == "float64" || strings.Contains(f.Usage, "(0:")):
			err = fmt.Errorf("--%s %s: want 0 or more", f.Name, text)
		case v < 0 || v == 0 && f.DefValue == "0" && kind != "float64":
			err = fmt.Errorf("--%s %s: want 1 or more", f.Name, text)
		}
	})
	return err
}
