// Package durable brings files and their names to disk, so that a power cut leaves them.
//
// A file that replaces another is written under another name, synced, renamed, and then
// its directory is synced: the content first, since a file system may bring a name to
// disk before the content of the file.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// Sync brings the content of a file to disk. A file or a file system that does not sync,
// such as a pipe or one that is mounted read-only, has nothing to bring.
func Sync(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EROFS) {
		return nil
	}
	return err
}

// SyncDir brings the names in a directory to disk. A directory that cannot be opened, as
// one that may be written but not read, is synced with all file systems.
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

// SyncDirs brings the names in several directories to disk, in their order and each once.
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
