// Package files reads regular files safely. It rejects any other file without opening it. [Append]
// and [File.ReadAt] return all requested bytes or an error. The package also walks directory trees.
//
// Names may contain any byte except NUL. Files are read with system calls instead of os.File. For
// each file, os.File would make five more calls to find out whether the file can be polled.
package files

import (
	"errors"
	"strconv"

	"golang.org/x/sys/unix"
)

// A Time is a timestamp of a file: seconds since 1970 and nanoseconds.
type Time struct{ Sec, Nsec int64 }

// Append appends the time as seconds since 1970 with nine decimals.
func (t Time) Append(dst []byte) []byte {
	nsec := strconv.FormatInt(t.Nsec, 10)
	dst = append(strconv.AppendInt(dst, t.Sec, 10), '.')
	dst = append(dst, "000000000"[min(len(nsec), 9):]...)
	return append(dst, nsec...)
}

// Info is the status of a file. Any change to a file changes its Info, unless it happens within the
// resolution of the file's timestamps.
type Info struct {
	Size           int64
	Allocated      int64  // bytes that the file takes on disk, in whole blocks; holes take none
	Dev, Ino       uint64 // device and inode together identify the file, whatever its names
	Links          uint64 // number of hard links
	Mode, UID, GID uint32
	Mtime, Ctime   Time
}

// Same reports whether two Infos describe the same file with the same size and times.
func (i *Info) Same(other *Info) bool {
	return i.Size == other.Size && i.Dev == other.Dev && i.Ino == other.Ino &&
		i.Mtime == other.Mtime && i.Ctime == other.Ctime
}

// Errors for files that are rejected or cannot be read completely.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrDirectory  = errors.New("is a directory")
	ErrLink       = errors.New("symbolic link, not followed")
	ErrShrank     = errors.New("shrank while it was read")
	ErrChanged    = errors.New("changed since it was read")
	ErrTooLarge   = errors.New("more than a quarter of the memory")
	ErrLoop       = errors.New("symbolic link to a directory above itself")
)

// An Error adds the name of a file or directory to an error.
type Error struct {
	Name string
	Err  error
}

func (e *Error) Error() string { return e.Name + ": " + e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

func newError(name []byte, err error) error {
	return &Error{string(name), err}
}

// PassOver reports whether err is the error for a directory named in a list. Callers skip such a
// directory silently, because find(1) lists directories too. The line number is 0 if the name is
// not from a list.
func PassOver(line int64, err error) bool { return line > 0 && errors.Is(err, ErrDirectory) }

// blockBytes is the size in bytes of the blocks that stat(2) counts.
const blockBytes = 512

// setStat sets i from the result of stat(2).
func (i *Info) setStat(st *unix.Stat_t) {
	msec, mnsec := st.Mtim.Unix()
	csec, cnsec := st.Ctim.Unix()
	*i = Info{
		Size: st.Size, Allocated: int64(st.Blocks) * blockBytes, Dev: uint64(st.Dev), Ino: uint64(st.Ino), Links: uint64(st.Nlink),
		Mode: uint32(st.Mode), UID: st.Uid, GID: st.Gid,
		Mtime: Time{msec, mnsec}, Ctime: Time{csec, cnsec},
	}
}

// regular returns nil if mode is the mode of a regular file, and the error for the file's type
// otherwise.
func regular(mode uint32) error {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return nil
	case unix.S_IFDIR:
		return ErrDirectory
	case unix.S_IFLNK:
		return ErrLink
	}
	return ErrNotRegular
}
