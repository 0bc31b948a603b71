//go:build !linux

package files

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// A dirReader reads directories.
type dirReader struct{}

// read calls add with the entries of an open directory, and closes it.
func (dirReader) read(fd int, add func(name []byte, mode uint32)) error {
	f := os.NewFile(uintptr(fd), "")
	defer f.Close()
	entries, err := f.ReadDir(-1)
	for _, e := range entries {
		add([]byte(e.Name()), modeOf(e.Type()))
	}
	if p, ok := err.(*fs.PathError); ok {
		err = p.Err // the caller names the directory
	}
	return err
}

func modeOf(t fs.FileMode) uint32 {
	switch {
	case t.IsRegular():
		return unix.S_IFREG
	case t.IsDir():
		return unix.S_IFDIR
	case t&fs.ModeSymlink != 0:
		return unix.S_IFLNK
	}
	return unix.S_IFIFO // or another thing to pass over
}
