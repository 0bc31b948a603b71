//go:build !linux

package files

import (
	"io/fs"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

type dirReader struct{}

// read calls add with the entries of an open directory, and closes it.
func (dirReader) read(fd int, add func(name []byte, mode uint32)) error {
	f := os.NewFile(uintptr(fd), "")
	defer f.Close()
	entries, err := f.ReadDir(-1)
	for _, e := range entries {
		mode := uint32(unix.S_IFIFO) // or any other type that is skipped
		switch t := e.Type(); {
		case t.IsRegular():
			mode = unix.S_IFREG
		case t.IsDir():
			mode = unix.S_IFDIR
		case t&fs.ModeSymlink != 0:
			mode = unix.S_IFLNK
		}
		add([]byte(e.Name()), mode)
	}
	if p, ok := err.(*fs.PathError); ok {
		err = p.Err // the caller names the directory
	}
	return err
}

// openDir is the flag for opening a directory to look up names in it.
const openDir = unix.O_RDONLY

// Memory returns no limit: the memory is determined only on Linux.
func Memory() uint64 { return math.MaxInt64 }
