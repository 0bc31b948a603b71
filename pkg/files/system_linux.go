package files

import (
	"bytes"
	"encoding/binary"
	"math"
	"syscall"

	"golang.org/x/sys/unix"
)

// Offsets in linux_dirent64: inode, offset, length of the entry, type, name.
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
)

// A dirReader reads directories. It is the buffer for their entries.
type dirReader [8 << 10]byte

// read calls add with the entries of an open directory, and closes it.
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
				add(name, uint32(rest[direntType])<<12) // DT_REG<<12 is S_IFREG, and so on
			}
			rest = rest[size:]
		}
	}
}

// openDir is the flag for opening a directory to look up names in it. The directory need
// not be readable.
const openDir = unix.O_PATH

// Memory returns the memory of the machine in bytes.
func Memory() uint64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return math.MaxInt64
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}
