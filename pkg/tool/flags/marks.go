package flags

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// written is the annotation of a flag whose value names a file that the run writes.
const written = "written"

// MarkWritten marks flags whose values are names of files that the run writes.
func MarkWritten(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		fs.SetAnnotation(name, written, []string{})
	}
}

// Written reports whether the value of a flag names a file that the run writes.
func Written(f *pflag.Flag) bool {
	_, marked := f.Annotations[written]
	return marked
}

// read is the annotation of a flag whose value names a file that the run reads.
const read = "read"

// MarkRead marks flags whose values are names of files or directories that the run reads, and that a
// manifest lists.
func MarkRead(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		fs.SetAnnotation(name, read, []string{})
	}
}

// Read reports whether MarkRead has marked a flag.
func Read(f *pflag.Flag) bool {
	_, marked := f.Annotations[read]
	return marked
}

// Writes reports whether any flag marked by MarkWritten names a file.
func Writes(fs *pflag.FlagSet) (writes bool) {
	fs.VisitAll(func(f *pflag.Flag) {
		if Written(f) {
			v := f.Value.String()
			writes = writes || v != "" && v != "-" && v != "0"
		}
	})
	return writes
}

// MarkStream marks flags like MarkWritten, for which the value "-" means standard output.
func MarkStream(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		fs.SetAnnotation(name, written, []string{"-"})
	}
}

// CheckNames returns an error if a flag marked by MarkWritten has the value "-".
func CheckNames(fs *pflag.FlagSet) (err error) {
	fs.Visit(func(f *pflag.Flag) {
		if err == nil && Written(f) && len(f.Annotations[written]) == 0 && f.Value.String() == "-" {
			err = fmt.Errorf("--%s -: want a file, such as ./- or /dev/stdout", f.Name)
		}
	})
	return err
}

// CheckSync returns an error if --no-sync is given and the run writes no file.
func CheckSync(fs *pflag.FlagSet) error {
	if fs.Changed("no-sync") && !Writes(fs) {
		return errors.New("--no-sync does nothing without an output file, such as -o FILE")
	}
	return nil
}
