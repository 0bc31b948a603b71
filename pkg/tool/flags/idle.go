package flags

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/record/dataform"
)

// Idle lists flags that have no effect in a run, with the reasons. Giving such a flag is an error,
// even with its default value, because the user expects an effect. Flags that define the records,
// such as --field and --id, are never idle in a tool that reads records, because a pipeline passes
// the same record flags to all its stages.
type Idle []idle

type idle struct {
	mode  string
	flags []string
}

// When adds flags, given by their long names, to the list if the first argument is true. The error
// message is "--flag does nothing …", completed by the second argument, as in "without --cut".
func (i *Idle) When(now bool, mode string, flags ...string) {
	if now {
		*i = append(*i, idle{mode, flags})
	}
}

// Refuse returns an error for the first idle flag that was given.
func (i Idle) Refuse(fs *pflag.FlagSet) (err error) {
	fs.VisitAll(func(f *pflag.Flag) {
		for _, one := range i {
			if err == nil && f.Changed && slices.Contains(one.flags, f.Name) {
				err = fmt.Errorf("--%s does nothing %s", f.Name, one.mode)
			}
		}
	})
	return err
}

// RecordFlags lists the flags that define the records.
var RecordFlags = append([]string{"field", "missing", "id", "lines", "max-record", "with-filename", "expect", "name"}, DialectFlags...)

// DialectFlags lists the flags that set a record.Dialect.
var DialectFlags = []string{"csv", "separator", "quote", "encoding", "no-partitions"}

// Idle returns the shared flags that have no effect. A tool whose own flags may be idle overrides
// this method, and adds those flags to its result.
func (c *Common) Idle() (i Idle) {
	i.When(c.Records.Lines, "with --lines", "field", "missing", "no-partitions")
	i.When(c.Watch.Never, "with --no-progress", "progress")
	i.When(c.Level == 0, "at 0", "level")
	i.When(!c.Directory(), "without -o DIR/", "tree")
	name := c.OutputName
	if c.Directory() {
		name = "" // each output in the directory has its own name and format
	}
	if f, err := dataform.Of(name, c.To); err == nil && f.Kind != "" {
		i.When(f.Kind != "parquet", "without Parquet output", "codec")
		i.When(f.Kind != "parquet" && f.Compression == dataform.Plain, "without compression", "level")
	}
	return i
}

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
