package flags

import (
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
	i.When(c.Records.ID != "", "with --id", "with-filename")
	i.When(c.Watch.Never, "with --no-progress", "progress")
	i.When(c.Level == 0, "at 0", "level")
	if f, err := dataform.Of(c.OutputName, c.To); err == nil && f.Kind != "" {
		i.When(f.Kind != "parquet", "without Parquet to write", "codec")
		i.When(f.Kind != "parquet" && f.Compression == dataform.Plain, "where nothing is compressed", "level")
	}
	return i
}
