package flags

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"doppel/pkg/record/dataform"
)

// Idle are flags that do nothing in a run, by what makes them so. A flag that is
// given and does nothing is a misunderstanding, so it is refused, even at the
// value that it has without being given. Flags that say what the records are, as
// --field and --id do, are not idle wherever records are read: a chain gives all
// its stages the same.
type Idle []idle

type idle struct {
	mode  string
	flags []string
}

// When adds the long names of flags that are idle in this mode, if it is the mode
// of the run. It is said behind "--flag does nothing", as in "without --cut".
func (i *Idle) When(now bool, mode string, flags ...string) {
	if now {
		*i = append(*i, idle{mode, flags})
	}
}

// Refuse returns an error of the first flag that was given and is idle.
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

// RecordFlags are those that say what records are.
var RecordFlags = []string{"field", "id", "lines", "csv", "max-record", "with-filename", "expect", "name"}

// Idle returns the shared flags that do nothing. A tool that has modes of its own
// has its own method, which begins with this one.
func (c *Common) Idle() (i Idle) {
	i.When(c.Records.Lines, "with --lines", "field")
	i.When(c.Watch.Never, "with --no-progress", "progress")
	i.When(c.Level == 0, "at 0", "level")
	i.When(!c.Directory(), "without -o DIR/", "tree")
	name := c.OutputName
	if c.Directory() {
		name = "" // the inputs have the names
	}
	if f, err := dataform.Of(name, c.To); err == nil && f.Kind != "" {
		i.When(f.Kind != "parquet", "without Parquet to write", "codec")
		i.When(f.Kind != "parquet" && f.Compression == dataform.Plain, "where nothing is compressed", "level")
	}
	return i
}

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
