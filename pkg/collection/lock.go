package collection

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// lockName is the name of the file that a writer locks. The file stays when the writer ends.
const lockName = "lock"

// ErrLocked is returned by NewWriter if another writer has locked the collection.
var ErrLocked = errors.New("another process is adding to the collection")

// lockDir creates a directory if there is none, and locks it for writing. It reports whether it
// created the directory.
func lockDir(dir string, opt WriteOptions) (lock *os.File, created bool, err error) {
	for {
		err := os.Mkdir(dir, 0o777)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, created, err
		}
		created = created || err == nil
		lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o666)
		if errors.Is(err, fs.ErrNotExist) {
			if target, lerr := os.Readlink(filepath.Clean(dir)); lerr == nil {
				return nil, created, fmt.Errorf("%s: a symbolic link to %s, which is not there: want a directory", dir, target)
			}
			continue // another writer has removed the directory that it had created
		}
		if err != nil {
			return nil, created, err
		}
		current, err := lockFile(lock, dir, opt)
		if current {
			return lock, created, nil
		}
		lock.Close()
		if err != nil {
			return nil, created, err
		}
	}
}

// lockFile locks the lock of a directory, and reports whether its name still refers to it. On a
// file system without locks, the file is not locked.
func lockFile(lock *os.File, dir string, opt WriteOptions) (current bool, err error) {
	err = flock(lock, unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		if opt.NoWait {
			return false, fmt.Errorf("%s: %w", dir, ErrLocked)
		}
		opt.note("%s: waiting for another process that is adding to the collection", dir)
		err = flock(lock, unix.LOCK_EX)
	}
	if err != nil && !errors.Is(err, unix.ENOLCK) && !errors.Is(err, unix.ENOTSUP) {
		return false, fmt.Errorf("%s: %w", lock.Name(), err)
	}
	own, err := lock.Stat()
	if err != nil {
		return false, err
	}
	named, err := os.Stat(lock.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(own, named), err
}

func flock(f *os.File, how int) (err error) {
	for err = unix.EINTR; err == unix.EINTR; {
		err = unix.Flock(int(f.Fd()), how)
	}
	return err
}
