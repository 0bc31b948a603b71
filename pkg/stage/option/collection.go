package option

import (
	"os"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/collection"
	"doppel/pkg/flagset"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Collection holds the options for a collection: a directory of the records that earlier runs kept.
// The directory of --against, with which new records are compared, and that of --save, to which the
// kept records are added, are options of the programs, because some of these take files as well.
type Collection struct {
	Index  string // the collection to compare with and to add to (--index); "" for none
	NoWait bool   // return an error if another run writes to the collection, instead of waiting
}

// Flags registers the flags that set these options.
func (c *Collection) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&c.Index, "index", c.Index, "compare with the collection in `DIR`, too, and add the kept records; the run creates DIR")
	fs.BoolVar(&c.NoWait, "no-wait", c.NoWait, "do not wait for another run that adds to the same collection, but fail")
	flags.MarkWritten(fs, "index")
	flagset.Assign(fs, flagset.Kept, "index", "no-wait")
}

// Places returns the collections to compare with and to add to, given the directories of --against
// and --save; "" for none. It returns an error if the options cannot be used together.
func (c *Collection) Places(against, save string) (string, string, error) {
	switch {
	case c.Index != "" && against != "":
		return "", "", tool.UsageError("--index %s compares with one collection, so it cannot be used with --against", c.Index)
	case c.Index != "" && save != "":
		return "", "", tool.UsageError("--index %s adds to one collection, so it cannot be used with --save", c.Index)
	case c.Index != "":
		if against = c.Index; !collection.Is(against) {
			against = "" // the run creates it
		}
		return against, c.Index, nil
	case save != "" && !SameDirectory(save, against) && collection.Is(save):
		return "", "", tool.UsageError("--save %s adds records to a collection that they are not compared with: give --index %[1]s instead", save)
	}
	return against, save, nil
}

// Idle adds to i the flags that have no effect, given the directory of --save.
func (c *Collection) Idle(i *flags.Idle, save string) {
	i.When(c.Index == "" && save == "", "without --index or --save DIR", "no-wait")
}

// SameDirectory reports whether two names lead to one directory.
func SameDirectory(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return a == b || errX == nil && errY == nil && os.SameFile(x, y)
}

// IsCollection reports whether a name given to --save means a collection, not a file: it ends in a
// slash, or is a directory.
func IsCollection(name string) bool {
	info, err := os.Stat(name)
	return strings.HasSuffix(name, "/") || err == nil && info.IsDir()
}
