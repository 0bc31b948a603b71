//go:build !linux

package files

import (
	"io/fs"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

type dirReader struct{}

// read calls add for each entry of the open directory fd, and closes fd.
func (dirReader) read(fd int, add func(name []byte, mode uint32)) error {
	f := os.NewFile(uintptr(fd), "")
	defer f.Close()
	entries, err := f.ReadDir(-1)
	for _, e := range entries {
		mode := uint32(unix.S_IFIFO) // represents every type that a walk skips
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
		err = p.Err // the caller adds the name of the directory
	}
	return err
}

// openDir is the open(2) flag for opening a directory in order to look up names in it.
const openDir = unix.O_RDONLY

// Memory returns math.MaxInt64, because the size of the memory is known only on Linux.
func Memory() uint64 { return math.MaxInt64 }
