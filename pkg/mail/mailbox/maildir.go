package mailbox

import (
	"cmp"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"

	"doppel/pkg/files"
	"doppel/pkg/files/durable"
)

// A Maildir is a directory to which messages are moved.
type Maildir struct{ dir string }

// maildirs lists the subdirectories of a Maildir.
var maildirs = []string{"cur", "new", "tmp"}

// CheckMaildir returns an error if Make would add a Maildir to a directory that has other files.
func CheckMaildir(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist), err == nil && (len(entries) == 0 || isMaildir(dir)):
		return nil
	case err != nil:
		return err
	}
	return &files.Error{Name: dir, Err: errNotMaildir}
}

// Make returns the Maildir with the given name, and creates it if it does not exist. It syncs new
// directories to disk, because messages moved there are removed elsewhere.
func Make(dir string) (*Maildir, error) {
	var parents []string // parents of the created directories
	for _, sub := range maildirs {
		sub = filepath.Join(dir, sub)
		for at := sub; ; at = filepath.Dir(at) {
			if _, err := os.Lstat(at); !errors.Is(err, os.ErrNotExist) {
				break
			}
			parents = append(parents, filepath.Dir(at))
		}
		if err := os.MkdirAll(sub, 0o700); err != nil {
			return nil, err
		}
	}
	return &Maildir{dir: dir}, durable.SyncDirs(parents)
}

// nameFor returns a new file name for a message. A message that was not seen is put into new, where
// messages have no flags, unless it has other flags.
func (m *Maildir) nameFor(f Flags) string {
	f &^= Internal
	if f == 0 {
		return filepath.Join(m.dir, "new", "doppel."+rand.Text())
	}
	return filepath.Join(m.dir, "cur", "doppel."+rand.Text()+f.info())
}

// deliver writes a message to the Maildir and syncs it to disk.
func (m *Maildir) deliver(text []byte, flags Flags) error {
	name := m.nameFor(flags)
	f, err := durable.Replace(filepath.Join(m.dir, "tmp", filepath.Base(name)), name, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	}, nil)
	return cmp.Or(err, f.Close())
}
