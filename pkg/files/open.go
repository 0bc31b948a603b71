package files

import (
	"bytes"
	"io"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"

	"doppel/pkg/files/filename"
)

// Links says what becomes of symbolic links.
type Links int

// The ways.
const (
	Refuse Links = iota // a symbolic link is an error, or passed over by a walk
	Follow
)

// A File is a regular file that is open for reading.
type File struct {
	Info
	fd     int
	onDisk int64 // how many bytes the file takes on disk
}

// Stat returns what the system knows of a regular file, without opening it.
func Stat(name []byte, links Links) (Info, error) {
	info, err := stat(unix.AT_FDCWD, name, links)
	if err == nil {
		err = regular(info.Mode)
	}
	if err != nil {
		return info, newError(name, err)
	}
	return info, nil
}

// StatAll appends what the system knows of the files of the items. Where that
// fails, the item has the error. A directory that is passed over has the zero Info.
func StatAll(infos []Info, items []filename.Item, links Links) []Info {
	infos = slices.Grow(infos, len(items))[:len(items)]
	var d Dir
	defer d.Close()
	for i := range items {
		it := &items[i]
		if it.Err != nil {
			continue
		}
		dir, rest := d.at(it.Name, nameOf(items, i+2))
		info, err := stat(dir, rest, links)
		if err == nil {
			err = regular(info.Mode)
		}
		if PassOver(it.Line, err) {
			continue
		}
		if infos[i] = info; err != nil {
			it.Err = newError(it.Name, err)
		}
	}
	return infos
}

// nameOf returns the name of an item, or nil behind the last.
func nameOf(items []filename.Item, i int) []byte {
	if i < len(items) {
		return items[i].Name
	}
	return nil
}

// stat returns what the system knows of whatever has the name.
func stat(dir int, name []byte, links Links) (info Info, err error) {
	var st unix.Stat_t
	flags := 0
	if links == Refuse {
		flags = unix.AT_SYMLINK_NOFOLLOW
	}
	err = again(func() error { return unix.Fstatat(dir, str(name), &st, flags) })
	info.fill(&st)
	return info, err
}

// Open opens a regular file. What the name stands for is looked at first, for
// to open a FIFO or a device has effects; should it be another thing by the
// time it is opened, O_NONBLOCK keeps the call from hanging, and it is refused
// then.
func Open(name []byte, links Links) (File, error) {
	f, err := open(unix.AT_FDCWD, name, links, filename.Unknown)
	if err != nil {
		return f, newError(name, err)
	}
	return f, nil
}

// Open opens the file of the first item as the function Open does. A first
// look is left out where a walk took it.
func (d *Dir) Open(items []filename.Item, links Links) (File, error) {
	it := &items[0]
	dir, rest := d.at(it.Name, nameOf(items, 2))
	f, err := open(dir, rest, links, it.Kind)
	if err != nil {
		return f, newError(it.Name, err)
	}
	return f, nil
}

func open(dir int, name []byte, links Links, kind filename.Kind) (f File, err error) {
	if kind == filename.Unknown {
		if f.Info, err = stat(dir, name, links); err != nil {
			return f, err
		}
		if err := regular(f.Mode); err != nil {
			return f, err
		}
	}
	flags := unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY
	if links == Refuse {
		flags |= unix.O_NOFOLLOW
	}
	f.fd, err = openat(dir, name, flags)
	switch {
	case err == unix.ELOOP && links == Refuse:
		return f, ErrLink
	case err != nil:
		return f, err
	}
	return f, f.check()
}

func openat(dir int, name []byte, flags int) (fd int, err error) {
	err = again(func() (err error) {
		fd, err = unix.Openat(dir, str(name), flags, 0)
		return err
	})
	return fd, err
}

// str returns the bytes as a string that is valid while they stay as they are,
// which is longer than a system call.
func str(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// blockBytes is the unit in which systems count what a file takes.
const blockBytes = 512

// check fills in what the system knows of the open file, and closes it again
// if that is no regular file.
func (f *File) check() error {
	var st unix.Stat_t
	err := again(func() error { return unix.Fstat(f.fd, &st) })
	if err == nil {
		f.fill(&st)
		f.onDisk = st.Blocks * blockBytes
		err = regular(f.Mode)
	}
	if err != nil {
		f.Close()
	}
	return err
}

// ReadAt fills p with the bytes at off, or fails: a file that ends before has
// shrunk. It is no io.ReaderAt, for those may give less at the end.
func (f *File) ReadAt(p []byte, off int64) error {
	for len(p) > 0 {
		n, err := unix.Pread(f.fd, p, off)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return err
		case n == 0:
			return ErrShrank
		}
		p, off = p[n:], off+int64(n)
	}
	return nil
}

// maxRead is the most that is asked for at once, since systems have limits.
const maxRead = 1 << 30

// Read reads what follows what was read, as an [io.Reader] does.
func (f *File) Read(p []byte) (n int, err error) {
	err = again(func() (err error) {
		n, err = unix.Read(f.fd, p[:min(len(p), maxRead)])
		return err
	})
	switch {
	case err != nil:
		return 0, err
	case n == 0 && len(p) > 0:
		return 0, io.EOF
	}
	return n, nil
}

// Fd returns the descriptor, for what packages ask of the system that act on files.
func (f *File) Fd() int { return f.fd }

// Stat returns what the system knows of the open file now.
func (f *File) Stat() (info Info, err error) {
	var st unix.Stat_t
	err = again(func() error { return unix.Fstat(f.fd, &st) })
	info.fill(&st)
	return info, err
}

// Close closes the file. Nothing was written, so nothing can be lost.
func (f *File) Close() { unix.Close(f.fd) }

// again repeats a system call for as long as signals interrupt it.
func again(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

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
		if !bytes.HasPrefix(later, name[:n]) {
			return unix.AT_FDCWD, name
		}
		d.Close()
		opened, err := openat(unix.AT_FDCWD, name[:n], openDir|unix.O_DIRECTORY|unix.O_CLOEXEC)
		if err != nil {
			return unix.AT_FDCWD, name
		}
		d.fd, d.path = opened, append(d.path, name[:n]...)
	}
	return d.fd, name[n:]
}

// Close closes the directory, if one is open.
func (d *Dir) Close() {
	if len(d.path) > 0 {
		unix.Close(d.fd)
		d.path = d.path[:0]
	}
}
