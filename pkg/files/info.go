// Package files reaches files without harm: names come from lists or from a
// walk over trees; what is no regular file is refused without being opened;
// and a read gives all the bytes that were asked for or an error.
//
// Names may hold any byte but NUL. Files are read by bare system calls: an
// os.File makes five more for each, to find out whether it can be polled.
package files

import (
	"errors"
	"strconv"

	"golang.org/x/sys/unix"
)

// A Time is a time stamp of a file.
type Time struct{ Sec, Nsec int64 }

// Append appends the time as seconds since 1970 with nine decimals.
func (t Time) Append(dst []byte) []byte {
	nsec := strconv.FormatInt(t.Nsec, 10)
	dst = append(strconv.AppendInt(dst, t.Sec, 10), '.')
	dst = append(dst, "000000000"[min(len(nsec), 9):]...)
	return append(dst, nsec...)
}

// Info is what the system knows of a file. Two of them are equal only if
// nothing has touched the file in between, as far as time stamps tell.
type Info struct {
	Size           int64
	Dev, Ino       uint64 // together they name the file, whatever its names
	Links          uint64 // how many names it has
	Mode, UID, GID uint32
	Mtime, Ctime   Time
}

// Same reports whether size and times are the same, of the same file.
func (i *Info) Same(other *Info) bool {
	return i.Size == other.Size && i.Dev == other.Dev && i.Ino == other.Ino &&
		i.Mtime == other.Mtime && i.Ctime == other.Ctime
}

// Errors of files that are refused or came out wrong.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrDirectory  = errors.New("is a directory")
	ErrLink       = errors.New("symbolic link, not followed")
	ErrShrank     = errors.New("ended early: it shrank while it was read")
	ErrChanged    = errors.New("changed since it was read")
	ErrTooLarge   = errors.New("more than a quarter of the memory")
	ErrLoop       = errors.New("symbolic link to a directory above itself")
)

// An Error is the trouble with one file.
type Error struct {
	Name string
	Err  error
}

func (e *Error) Error() string { return e.Name + ": " + e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

func newError(name []byte, err error) error {
	return &Error{string(name), err}
}

// PassOver reports whether err is that of a directory named on a line of a list: find(1)
// names directories too, so it is neither a file nor an error. Line 0 is no line of a list.
func PassOver(line int64, err error) bool { return line > 0 && errors.Is(err, ErrDirectory) }

// fill takes what stat gave.
func (i *Info) fill(st *unix.Stat_t) {
	msec, mnsec := st.Mtim.Unix()
	csec, cnsec := st.Ctim.Unix()
	*i = Info{
		Size: st.Size, Dev: uint64(st.Dev), Ino: uint64(st.Ino), Links: uint64(st.Nlink),
		Mode: uint32(st.Mode), UID: st.Uid, GID: st.Gid,
		Mtime: Time{msec, mnsec}, Ctime: Time{csec, cnsec},
	}
}

// regular returns why a file of this mode is refused, or nil.
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
