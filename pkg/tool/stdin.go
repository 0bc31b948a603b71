package tool

import (
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/spf13/pflag"

	"doppel/pkg/tool/flags"
)

// A nullInput is standard input if it is the null device and no operand asks for it. Jobs of cron
// and remote shells start with this device as standard input, and Go opens it if standard input is
// closed. A run without operands has then most likely lost its operands, and would replace its
// outputs by those of an empty input.
type nullInput struct{}

// Read returns a nullError.
func (nullInput) Read([]byte) (int, error) { return 0, nullError{} }

// A nullError is the error of a run that reads a nullInput.
type nullError struct{}

// EndsRun marks an error that ends the run, with -k too.
func (nullError) EndsRun() {}

func (nullError) Error() string {
	return "standard input is " + os.DevNull + " or closed: want an operand"
}

// Hint returns the text of the hint.
func (nullError) Hint() string {
	return "name the files to read, or write the operand - to read " + os.DevNull + " as an empty input"
}

// isNull reports whether a stream is the null device.
func isNull(stream io.Reader) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	own, err := f.Stat()
	null, nerr := os.Stat(os.DevNull)
	if err != nil || nerr != nil || own.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	return own.Sys().(*syscall.Stat_t).Rdev == null.Sys().(*syscall.Stat_t).Rdev
}

// asksForStdin reports whether an operand is "-", or a flag that names an input has this value.
func asksForStdin(fs *pflag.FlagSet) bool {
	asked := slices.Contains(fs.Args(), "-")
	fs.Visit(func(f *pflag.Flag) {
		if list, ok := f.Value.(pflag.SliceValue); ok {
			asked = asked || slices.Contains(list.GetSlice(), "-")
		} else if !flags.Written(f) {
			asked = asked || f.Value.String() == "-"
		}
	})
	return asked
}
