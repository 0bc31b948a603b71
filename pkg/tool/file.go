package tool

import (
	"os"
	"path/filepath"
	"strings"
)

// An atomicFile is whole or untouched: it is written beside its place and
// renamed at the end. What is no regular file (a device, a pipe), or is named by
// a descriptor (/dev/fd/3), is written through, never replaced.
type atomicFile struct {
	*os.File
	beside string // the name until the rename, "" where written through
	place  string
}

func createFile(name string) (*atomicFile, error) {
	if info, err := os.Stat(name); err == nil && (!info.Mode().IsRegular() || strings.HasPrefix(name, "/dev/")) {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &atomicFile{File: f}, err
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real // replace what a link points to, not the link
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return nil, err
	}
	return &atomicFile{File: f, beside: f.Name(), place: name}, nil
}

// remove removes what is not in its place yet.
func (a *atomicFile) remove() {
	if a != nil && a.beside != "" {
		os.Remove(a.beside)
	}
}

// finish closes the file and puts it in its place, or removes it when the run
// failed. A nil file is standard output, and stays open.
func (a *atomicFile) finish(err error) error {
	if a == nil {
		return err
	}
	if err == nil && a.beside != "" {
		err = a.Chmod(a.mode())
	}
	if cerr := a.Close(); err == nil {
		err = cerr
	}
	if a.beside == "" {
		return err
	}
	if err == nil {
		err = os.Rename(a.beside, a.place)
	}
	if err != nil {
		a.remove()
	}
	return err
}

// mode returns the mode of the file that is replaced, or that of a new one.
func (a *atomicFile) mode() os.FileMode {
	if info, err := os.Stat(a.place); err == nil {
		return info.Mode().Perm()
	}
	return newFileMode()
}
