package mailbox

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/files/durable"
)

// A Maildir is a directory with one file for each message, in its subdirectories cur and new.
type Maildir struct {
	dir  string
	read []messageFile
}

// A messageFile is the file of a message, with its status when it was read.
type messageFile struct {
	name string
	info files.Info
}

// maildirs lists the subdirectories of a Maildir.
var maildirs = []string{"cur", "new", "tmp"}

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

// Each calls fn for each message in cur and then for each message in new, in the order of their
// file names. A message that disappears while the Maildir is being read is skipped, because mail
// readers rename messages.
func (m *Maildir) Each(fn func(Message) error) error {
	m.read = nil
	for _, sub := range []string{"cur", "new"} {
		entries, err := os.ReadDir(filepath.Join(m.dir, sub))
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() || e.Name()[0] == '.' {
				continue
			}
			name := filepath.Join(m.dir, sub, e.Name())
			info, err := files.Stat([]byte(name), files.Refuse)
			var text []byte
			if err == nil {
				text, err = files.Append(nil, []byte(name), files.Refuse)
			}
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			m.read = append(m.read, messageFile{name, info})
			if err := fn(Message{[]byte(name), text}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Take implements [Box].
func (m *Maildir) Take(out map[int]bool, into *Maildir) (taken int, errs []error) {
	for i, f := range m.read {
		if !out[i] {
			continue
		}
		if err := f.move(into); err != nil {
			errs = append(errs, err)
			continue
		}
		taken++
	}
	if into != nil && taken > 0 {
		dirs := []string{filepath.Join(into.dir, "cur"), filepath.Join(m.dir, "cur"), filepath.Join(m.dir, "new")}
		if err := durable.SyncDirs(dirs); err != nil {
			errs = append(errs, err)
		}
	}
	return taken, errs
}

// move moves a message to another Maildir, or removes it if no Maildir is given. It returns an
// error if the message has changed. After renaming the file, it checks again, and undoes the
// renaming if the file is not the one that was read.
func (f *messageFile) move(into *Maildir) error {
	to := filegroup.Beside(f.name)
	if into != nil {
		to = filepath.Join(into.dir, "cur", filepath.Base(f.name))
		if _, err := os.Lstat(to); err == nil {
			return &files.Error{Name: to, Err: os.ErrExist}
		}
	}
	if err := f.check(f.name); err != nil {
		return err
	}
	if err := os.Rename(f.name, to); err != nil {
		return err
	}
	if err := f.check(to); err != nil {
		if back := os.Rename(to, f.name); back != nil {
			return fmt.Errorf("%w; the file was renamed to %s, and cannot be renamed back: %w", err, to, back)
		}
		return err
	}
	if into != nil {
		return nil
	}
	return os.Remove(to)
}

// check returns an error unless the name still refers to the file that was read, and this file is
// unchanged. It ignores the ctime, which a rename changes.
func (f *messageFile) check(name string) error {
	now, err := files.Stat([]byte(name), files.Refuse)
	if err != nil {
		return err
	}
	now.Ctime = f.info.Ctime
	if !now.Same(&f.info) {
		return &files.Error{Name: f.name, Err: files.ErrChanged}
	}
	return nil
}

// deliver writes a message to the subdirectory "new" and syncs it to disk.
func (m *Maildir) deliver(text []byte) error {
	name := "doppel." + rand.Text()
	temp := filepath.Join(m.dir, "tmp", name)
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = cmp.Or(err, durable.Sync(f), f.Close())
	if err == nil {
		err = os.Rename(temp, filepath.Join(m.dir, "new", name))
	}
	if err == nil {
		err = durable.SyncDir(filepath.Join(m.dir, "new"))
	}
	return err
}
