// Package durable syncs files and directories to disk, so that files and their names survive a
// power failure.
//
// To replace a file, write the new content under another name, sync that file, rename it, and sync
// the directory. The content is synced first, because a file system may write the name to disk
// before the content.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// Sync writes the content of a file to disk. It returns nil for a file that cannot be synced, such
// as a pipe or a file on a read-only file system.
func Sync(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EROFS) {
		return nil
	}
	return err
}

// SyncDir writes the names in a directory to disk. If the directory cannot be opened, for example
// because it is not readable, SyncDir syncs all file systems instead. It returns an error if the
// directory does not exist.
func SyncDir(dir string) error {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	for errors.Is(err, unix.EINTR) {
		fd, err = unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &os.PathError{Op: "sync", Path: dir, Err: err}
	case err != nil:
		unix.Sync()
		return nil
	}
	d := os.NewFile(uintptr(fd), dir)
	defer d.Close()
	return Sync(d)
}

// SyncDirs writes the names in several directories to disk, in the given order. It syncs each
// directory only once.
func SyncDirs(dirs []string) error {
	var done []string
	for _, dir := range dirs {
		if slices.Contains(done, dir) {
			continue
		}
		if err := SyncDir(dir); err != nil {
			return err
		}
		done = append(done, dir)
	}
	return nil
}
