package files

import (
	"bytes"
	"encoding/binary"
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// Byte offsets of fields in the structure linux_dirent64, which getdents64(2) returns.
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
)

// A dirReader is a buffer for reading the entries of directories.
type dirReader [8 << 10]byte

// read calls add for each entry of the open directory fd, except those for the directory itself and
// its parent, and closes fd.
func (buf *dirReader) read(fd int, add func(name []byte, mode uint32)) error {
	defer unix.Close(fd)
	for {
		n, err := unix.Getdents(fd, buf[:])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil || n == 0:
			return err
		}
		for rest := buf[:n]; len(rest) > direntName; {
			size := binary.NativeEndian.Uint16(rest[direntLength:])
			name, _, _ := bytes.Cut(rest[direntName:size], []byte{0})
			if s := string(name); s != "." && s != ".." {
				add(name, uint32(rest[direntType])<<12) // a DT_ constant shifted left by 12 bits is the S_IF constant of the same type
			}
			rest = rest[size:]
		}
	}
}

// openDir is the open(2) flag for opening a directory in order to look up names in it. With O_PATH,
// the directory need not be readable.
const openDir = unix.O_PATH

// Memory returns the size of the machine's memory in bytes.
func Memory() uint64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return math.MaxInt64
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}
