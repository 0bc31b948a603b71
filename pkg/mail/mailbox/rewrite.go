package mailbox

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
	"doppel/pkg/files/durable"
)

// Take implements [Box]. It removes either all of the given messages or none.
func (b *mbox) Take(out map[int]bool, into *Maildir) (taken int, errs []error) {
	if err := b.Doubt(); err != nil {
		return 0, []error{fmt.Errorf("%w: the mbox is not changed", err)}
	}
	if err := b.rewriteWithout(out, into); err != nil {
		return 0, []error{err}
	}
	return len(out), nil
}

func (b *mbox) rewriteWithout(out map[int]bool, into *Maildir) error {
	place, err := filepath.EvalSymlinks(b.name)
	if err != nil {
		return err
	}
	l, err := lockBox(place)
	if err != nil {
		return err
	}
	defer l.release()
	old, err := files.Open([]byte(place), files.Refuse)
	if err != nil {
		return err
	}
	defer old.Close()
	if !old.Same(&b.read) {
		return &files.Error{Name: b.name, Err: files.ErrChanged}
	}
	if old.Links > 1 {
		return &files.Error{Name: b.name, Err: errLinks}
	}
	f, err := durable.Replace(filepath.Join(filepath.Dir(place), filegroup.Aside), place, func(f *os.File) error {
		return b.copyWithout(f, &old, out, into)
	}, func(written string) error {
		if b.hook != nil {
			b.hook(written, place)
		}
		now, err := files.Stat([]byte(place), files.Refuse)
		if err == nil && !now.Same(&b.read) {
			err = &files.Error{Name: b.name, Err: files.ErrChanged}
		}
		return err
	})
	return cmp.Or(err, f.Close())
}

// copyWithout copies the messages to keep to a new file, and gives the file the owner and the mode of the
// old mbox. If a Maildir is given, copyWithout delivers the other messages there.
func (b *mbox) copyWithout(f *os.File, old *files.File, out map[int]bool, into *Maildir) error {
	w := bufio.NewWriter(f)
	doubt, err := eachMessage(b.name, namedFile{old, b.name}, func(i int, text []byte) (err error) {
		switch {
		case !out[i]:
			_, err = w.Write(text)
		case into != nil:
			flags := headerFlags(text)
			if at := bytes.Index(text, []byte("From ")); at == 0 || string(text[:max(at, 0)]) == "\ufeff" { // a Maildir has no envelope lines
				_, text, _ = bytes.Cut(text, []byte("\n"))
			}
			err = into.deliver(text, flags)
		}
		return err
	})
	return cmp.Or(err, doubtful(b.name, doubt), w.Flush(), f.Chown(int(old.UID), int(old.GID)), f.Chmod(fs.FileMode(old.Mode&0o777)))
}

type boxLock struct {
	file *os.File
	dot  string
}

// lockBox locks an mbox by the same means as procmail: a file NAME.lock, fcntl and flock. If the
// mbox is locked, it returns an error without waiting.
func lockBox(name string) (l *boxLock, err error) {
	l = &boxLock{dot: name + ".lock"}
	dot, err := os.OpenFile(l.dot, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o444)
	if errors.Is(err, fs.ErrExist) {
		return nil, &files.Error{Name: name, Err: errLocked}
	}
	if err != nil {
		return nil, err
	}
	dot.Close()
	if l.file, err = os.OpenFile(name, os.O_RDWR, 0); err != nil {
		os.Remove(l.dot)
		return nil, err
	}
	whole := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart}
	if unix.FcntlFlock(l.file.Fd(), unix.F_SETLK, &whole) != nil || unix.Flock(int(l.file.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
		l.release()
		return nil, &files.Error{Name: name, Err: errLocked}
	}
	return l, nil
}

func (l *boxLock) release() {
	l.file.Close()
	os.Remove(l.dot)
}
