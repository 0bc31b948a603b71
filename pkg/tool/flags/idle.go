package flags

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"
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
