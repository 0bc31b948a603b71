package option

import (
	"cmp"
	"encoding/json"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"doppel/pkg/collection"
	"doppel/pkg/digest"
	"doppel/pkg/flagset"
	"doppel/pkg/manifest"
	"doppel/pkg/msg"
	"doppel/pkg/tool"
	"doppel/pkg/tool/flags"
)

// Collection holds the options for a collection: a directory of the records that earlier runs kept.
// The directory of --against, with which new records are compared, and that of --save, to which the
// kept records are added, are options of the programs, because some of these take files as well.
type Collection struct {
	Index    string // the collection to compare with and to add to (--index); "" for none
	NoWait   bool   // return an error if another run writes to the collection, instead of waiting
	Estimate bool   // the collection has signatures in place of texts (--estimate)
}

// Flags registers the flags that set these options.
func (c *Collection) Flags(fs *pflag.FlagSet) {
	fs.StringVar(&c.Index, "index", c.Index, "compare with the collection in `DIR`, and add the kept records; the first run creates DIR")
	fs.BoolVar(&c.NoWait, "no-wait", c.NoWait, "fail if another run adds to the collection (default: wait)")
	flags.MarkWritten(fs, "index")
	flagset.Assign(fs, flagset.Kept, "index", "no-wait")
}

// EstimateFlag registers the flag of the programs whose collections can have signatures.
func (c *Collection) EstimateFlag(fs *pflag.FlagSet) {
	fs.BoolVar(&c.Estimate, "estimate", c.Estimate, "make a collection of signatures, not texts; the similarity to its records is estimated")
	flagset.Assign(fs, flagset.Kept, "estimate")
}

// AdoptEstimate takes from the scheme of a collection whether it has signatures in place of texts.
// It returns an error if the flag was given and differs.
func (c *Collection) AdoptEstimate(given bool, dir string, s collection.Scheme) error {
	estimate := s.SignatureBytes > 0
	switch {
	case given && c.Estimate && !estimate:
		return msg.WithHint(tool.UsageError("--estimate: the collection %s has texts, not signatures", dir), "make another collection with --estimate")
	case given && !c.Estimate && estimate:
		return tool.UsageError("--estimate=false: the collection %s has signatures, not texts", dir)
	}
	c.Estimate = estimate
	return nil
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
	case save == "" || SameDirectory(save, against) || !collection.Is(save):
		return against, save, nil
	case against != "":
		return "", "", tool.UsageError("--save %s: a collection that the records are not compared with: want that of --against %s, or a new one", save, against)
	}
	return "", "", tool.UsageError("--save %s adds records to a collection that they are not compared with: give --index %[1]s instead", save)
}

// CheckBoth returns an error if only one of the names given to --against and --save is that of a
// collection. Either may be "".
func (c *Collection) CheckBoth(against, save string) error {
	switch {
	case against == "" || collection.Is(against):
		if save != "" && !IsCollection(save) {
			return tool.UsageError("--save %s: not a collection, so it cannot be used with --against %s, which is one", save, against)
		}
		return nil
	case SameDirectory(against, save):
		return tool.UsageError("--against %s: no collection: the first run needs --index %[1]s, which creates it", against)
	}
	return tool.UsageError("--against %s: not a collection, so it cannot be used with --save %s, which is one", against, save)
}

// Dirs returns the directories of the collections, given those of --against and --save; "" for none.
// They need not exist.
func (c *Collection) Dirs(against, save string) (dirs []string) {
	for _, dir := range [...]string{c.Index, against, save} {
		if dir != "" && (dir == c.Index || IsCollection(dir)) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Refuse returns an error that says that a flag cannot be used with a collection. against tells
// whether --against names one.
func (c *Collection) Refuse(flag string, against bool) error {
	by := "--save"
	if c.Index != "" {
		by = "--index"
	} else if against {
		by = "--against"
	}
	return tool.UsageError("%s cannot be used with the collection of %s", flag, by)
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

// SchemeOf returns the scheme of a collection, which must be one of the given command.
func SchemeOf(dir, command string) (collection.Scheme, error) {
	c, err := collection.Open(dir)
	if err != nil {
		return collection.Scheme{}, err
	}
	have := c.Scheme()
	if err = c.Close(); err == nil && have.Tool != command {
		err = tool.UsageError("%s: a collection of doppel %s, not of doppel %s", dir, have.Tool, command)
	}
	return have, err
}

// CheckKey returns an error if a collection needs a key and the named file has another one, or if the
// collection needs none. check is the check value of the collection's key.
func CheckKey(file, dir, check string, keyed bool) error {
	key, err := digest.ReadKey(file)
	switch {
	case err != nil:
		return err
	case key == nil && keyed:
		return msg.WithHint(tool.UsageError("%s: the hashes of the collection have a key", dir), "give the file of the key with --key")
	case key == nil:
		return nil
	}
	h, err := digest.Keyed(key)
	if err == nil && !(keyed && h.Check() == check) {
		err = tool.UsageError("--key %s: not the key of the collection %s", file, dir)
	}
	return err
}

// Open opens the collection to compare with, and the one to add to; both are nil if not wanted, and
// the first also if it has no records. The run commits what was added when its outputs are in place,
// and closes both. The writer gets the scheme of the collection that exists, or the given one.
func (c *Collection) Open(e *tool.Env, against, save string, s collection.Scheme) (old *collection.Collection, w *collection.Writer, err error) {
	same := against != "" && SameDirectory(against, save)
	if against != "" && !same {
		if old, err = collection.Open(against); err != nil {
			return nil, nil, err
		}
		about, err := c.describe("against", against, old.Scheme())
		if err != nil {
			return nil, nil, cmp.Or(err, old.Close())
		}
		state := manifest.State(old.State())
		about.Before = &state
		e.Collections(about)
		e.CommitLast(reading{old})
	}
	if save != "" {
		if same {
			have, err := SchemeOf(against, s.Tool)
			if err != nil {
				return nil, nil, err
			}
			s.Field = have.Field // another run may read the texts from another field
		}
		w, err = collection.NewWriter(save, s, collection.WriteOptions{Mem: int64(e.Mem) / 8, Jobs: e.Jobs, NoWait: c.NoWait, NoSync: e.NoSync, Note: e.Note})
		if err != nil {
			return nil, nil, err
		}
		about, err := c.describe("save", save, s)
		if err != nil {
			return nil, nil, cmp.Or(err, w.Close())
		}
		if !w.Created() {
			state := manifest.State(w.State())
			about.Before = &state
		}
		e.CommitLast(writing{w, e, about})
		if old == nil {
			old = w.Collection()
		}
	}
	if old != nil && old.Records() == 0 {
		old = nil
	}
	return old, w, nil
}

// describe describes a collection for the manifest of the run.
func (c *Collection) describe(option, dir string, s collection.Scheme) (manifest.Collection, error) {
	if c.Index != "" {
		option = "index"
	}
	scheme, err := json.Marshal(s)
	return manifest.Collection{Option: option, Name: dir, Scheme: scheme}, err
}

// A writing is a collection that records are added to.
type writing struct {
	*collection.Writer
	e     *tool.Env
	about manifest.Collection
}

// Commit adds the records, and describes the collection for the manifest of the run.
func (w writing) Commit() error {
	err := w.Writer.Commit()
	state := manifest.State(w.State())
	w.about.After = &state
	w.e.Collections(w.about)
	return err
}

// A reading is a collection that is only read.
type reading struct{ *collection.Collection }

// Commit does nothing.
func (reading) Commit() error { return nil }
