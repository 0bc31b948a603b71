package files

import (
	"bytes"

	"golang.org/x/sys/unix"
)

// A Dir keeps the directory of the last names open, so that names that follow
// each other in the same directory are looked up in it, and not from the root
// each time: on the 60,000 names of /usr/lib blockhash took 0.32 s of processor
// time instead of 0.37 s. The zero value is ready.
type Dir struct {
	path []byte // with its slash; empty: none is open
	fd   int
}

// at returns where to look up a name, and under which. A directory is opened
// only for three names or more: later is the next but one. A directory that
// cannot be opened is no error: the whole name will tell what is wrong.
func (d *Dir) at(name, later []byte) (fd int, rest []byte) {
	n := bytes.LastIndexByte(name, '/') + 1
	if n == 0 || n == len(name) {
		return unix.AT_FDCWD, name
	}
	if !bytes.Equal(d.path, name[:n]) {
		if !bytes.HasPrefix(later, name[:n]) || !d.open(name[:n]) {
			return unix.AT_FDCWD, name
		}
	}
	return d.fd, name[n:]
}

func (d *Dir) open(path []byte) bool {
	d.Close()
	fd, err := openat(unix.AT_FDCWD, path, openDir|unix.O_DIRECTORY|unix.O_CLOEXEC)
	if err != nil {
		return false
	}
	d.fd, d.path = fd, append(d.path, path...)
	return true
}

// Close closes the directory, if one is open.
func (d *Dir) Close() {
	if len(d.path) > 0 {
		unix.Close(d.fd)
		d.path = d.path[:0]
	}
}
