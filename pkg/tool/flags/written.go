package flags

import (
	"errors"

	"github.com/spf13/pflag"
)

// written is the annotation of flags whose values name files that the run writes.
const written = "written"

// MarkWritten marks such flags.
func MarkWritten(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		fs.SetAnnotation(name, written, []string{})
	}
}

// Writes reports whether a marked flag has a value: the run puts a file in its place.
func Writes(fs *pflag.FlagSet) (writes bool) {
	fs.VisitAll(func(f *pflag.Flag) {
		if _, marked := f.Annotations[written]; marked {
			v := f.Value.String()
			writes = writes || v != "" && v != "-" && v != "0"
		}
	})
	return writes
}

// CheckSync refuses --no-sync where no file is written.
func CheckSync(fs *pflag.FlagSet) error {
	if fs.Changed("no-sync") && !Writes(fs) {
		return errors.New("--no-sync does nothing without a file to write, such as that of -o")
	}
	return nil
}
