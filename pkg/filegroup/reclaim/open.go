package reclaim

import (
	"bytes"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"doppel/pkg/filegroup"
	"doppel/pkg/files"
)

// A lockedFile is a file that is open for reading, locked, and leased where the system has leases.
type lockedFile struct {
	files.File
	name   []byte
	leased bool
}

// open opens a file, locks it with flock(2), and takes a lease on it where the system has leases.
// It returns an error if the file has changed since it was found.
func open(m *filegroup.Member, flock int) (*lockedFile, error) {
	f, err := files.Open(m.Name, files.Refuse)
	if err != nil {
		return nil, err
	}
	o := &lockedFile{File: f, name: m.Name}
	if err = unix.Flock(o.Fd(), flock|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
		err = errLocked
	} else {
		o.leased, err = lease(o.Fd())
	}
	if err == nil && !m.Info.Same(&f.Info) {
		err = files.ErrChanged
	}
	if err != nil {
		f.Close()
		return nil, o.fail(err)
	}
	return o, nil
}

// unnamed returns an error without the name that package files adds to it.
func unnamed(err error) error {
	if named, ok := errors.AsType[*files.Error](err); ok {
		return named.Err
	}
	return err
}

func (o *lockedFile) fail(err error) error {
	return &files.Error{Name: string(o.name), Err: fmt.Errorf("left alone: %w", err)}
}

// matches reports whether a status belongs to this file, with unchanged size, mtime and mode. It
// ignores the ctime, which changes when a name is added or removed.
func (o *lockedFile) matches(now *files.Info) bool {
	return now.Dev == o.Dev && now.Ino == o.Ino && now.Size == o.Size && now.Mtime == o.Mtime && now.Mode == o.Mode
}

// unchanged returns an error if the open file has been written to, or if another program has opened
// it for writing.
func (o *lockedFile) unchanged() error {
	now, err := o.Stat()
	switch {
	case err != nil:
		return o.fail(err)
	case !o.matches(&now):
		return o.fail(files.ErrChanged)
	case o.leased && !leaseHeld(o.Fd()):
		return o.fail(errWritten)
	}
	return nil
}

// inPlace returns an error unless the name still refers to the open file and the file is unchanged.
func (o *lockedFile) inPlace() error {
	now, err := files.Stat(o.name, files.Refuse)
	if err != nil {
		return err
	}
	if !o.matches(&now) {
		return o.fail(files.ErrChanged)
	}
	return o.unchanged()
}

// chunk is the number of bytes compared at a time.
const chunk = 128 << 10

// equal returns an error unless two files have the same bytes and neither changed during
// the comparison.
func equal(a, b *lockedFile) error {
	if a.Size != b.Size {
		return b.fail(fmt.Errorf("%w %s", errDiffers, a.name))
	}
	p, q := make([]byte, chunk), make([]byte, chunk)
	for off := int64(0); off < a.Size; off += chunk {
		n := min(chunk, a.Size-off)
		if err := a.ReadAt(p[:n], off); err != nil {
			return a.fail(err)
		}
		if err := b.ReadAt(q[:n], off); err != nil {
			return b.fail(err)
		}
		if !bytes.Equal(p[:n], q[:n]) {
			return b.fail(fmt.Errorf("%w %s", errDiffers, a.name))
		}
	}
	if err := a.unchanged(); err != nil {
		return err
	}
	return b.unchanged()
}
