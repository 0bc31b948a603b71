package files

import (
	"bytes"
	"io"
	"path"
	"slices"

	"golang.org/x/sys/unix"

	"doppel/pkg/files/filename"
)

// A Walk is a source of the regular files below some directories. It visits the entries of a
// directory in byte order and enters each subdirectory immediately, so the order depends only on
// the names. A root that is a symbolic link is followed, as find -H does. Whether links below the
// roots are skipped or followed depends on the Links passed to NewWalk. If a link leads to a
// directory above it, Walk returns an error for the link instead of following it. Other files that
// are not regular are skipped.
//
// The entries of all directories on the stack share one buffer. [os.ReadDir] would make a quarter
// of a million allocations for /usr/lib, and the garbage collector would run while files are
// hashed.
type Walk struct {
	// Passed, if set, is called for each entry below the roots that Next does not return: each
	// directory, each link that is not followed, and each file that is not regular. Next calls it.
	Passed func(name []byte, mode uint32)
	// Leave, if set, is called for each entry below the roots. If it returns true, the entry is left
	// out; nothing below it is read.
	Leave func(name []byte) bool
	// OneFileSystem leaves out the directories that are on another file system than their root.
	OneFileSystem bool

	links   Links
	dev     uint64 // device of the current root
	roots   []string
	path    []byte // path of the directory on top of the stack, with its final slash
	stack   []frame
	entries []entry
	names   []byte
	reader  dirReader
}

// A frame is a directory on the stack: the directory being read, or one above it.
type frame struct {
	path, names, entries int // lengths of the slices Walk.path, Walk.names and Walk.entries before the directory was entered
	next                 int // index in Walk.entries of the next entry to visit
	id                   [2]uint64
}

// An entry is a name in a directory.
type entry struct {
	at, n int
	mode  uint32 // file type, as in Info.Mode; 0 if unknown
}

// NewWalk returns a Walk over the trees below the roots, in order. A root that is not a directory
// is itself returned as a name.
func NewWalk(roots []string, links Links) *Walk {
	return &Walk{links: links, roots: roots}
}

// Next implements [filename.Source].
func (w *Walk) Next(b *filename.Batch, n int) error {
	b.Reset()
	for len(b.Items) < n {
		switch {
		case len(w.stack) > 0:
			w.step(b)
		case len(w.roots) > 0:
			name := []byte(w.roots[0])
			w.roots = w.roots[1:]
			info, err := stat(unix.AT_FDCWD, name, Follow)
			switch {
			case err != nil:
				fail(b, name, err)
			case info.Mode&unix.S_IFMT == unix.S_IFDIR:
				w.dev = info.Dev
				w.enter(b, name, &info, Follow)
			default: // a regular file, or a file that Open will reject
				b.Add(name, filename.Named)
			}
		case len(b.Items) > 0:
			return nil
		default:
			return io.EOF
		}
	}
	return nil
}

// step processes the next entry of the directory on top of the stack.
func (w *Walk) step(b *filename.Batch) {
	top := &w.stack[len(w.stack)-1]
	if top.next == len(w.entries) {
		w.path, w.names, w.entries = w.path[:top.path], w.names[:top.names], w.entries[:top.entries]
		w.stack = w.stack[:len(w.stack)-1]
		return
	}
	e := w.entries[top.next]
	top.next++
	dir := len(w.path)
	name := append(w.path, w.names[e.at:e.at+e.n]...)
	w.path = name[:dir]
	if w.Leave != nil && w.Leave(name) {
		return
	}
	if e.mode == 0 { // the file system does not store types in directories
		info, err := stat(unix.AT_FDCWD, name, Refuse)
		if err != nil {
			fail(b, name, err)
			return
		}
		e.mode = info.Mode
	}
	kind := e.mode & unix.S_IFMT
	var info Info
	// Read the device and inode numbers, which are needed to detect loops and mount points.
	if w.links == Follow && (kind == unix.S_IFDIR || kind == unix.S_IFLNK) || w.OneFileSystem && kind == unix.S_IFDIR {
		var err error
		if info, err = stat(unix.AT_FDCWD, name, w.links); err != nil {
			fail(b, name, err)
			return
		}
	}
	target := info.Mode & unix.S_IFMT // 0 if a link is not followed
	if w.Passed != nil && kind != unix.S_IFREG && target != unix.S_IFREG {
		mode := e.mode
		if target != 0 {
			mode = info.Mode
		}
		w.Passed(name, mode)
	}
	switch {
	case kind == unix.S_IFREG:
		b.Add(name, filename.Seen)
	case w.OneFileSystem && (kind == unix.S_IFDIR || target == unix.S_IFDIR) && info.Dev != w.dev:
	case kind == unix.S_IFDIR:
		w.enter(b, name, &info, w.links)
	case kind != unix.S_IFLNK:
	case target == unix.S_IFREG:
		b.Add(name, filename.Unknown)
	case target != unix.S_IFDIR:
	case slices.ContainsFunc(w.stack, func(f frame) bool { return f.id == [2]uint64{info.Dev, info.Ino} }):
		fail(b, name, ErrLoop)
	default:
		w.enter(b, name, &info, w.links)
	}
}

// enter pushes a directory onto the stack, with all entries that could be read. The directory's
// name may share memory with w.path.
func (w *Walk) enter(b *filename.Batch, name []byte, info *Info, links Links) {
	top := frame{len(w.path), len(w.names), len(w.entries), len(w.entries), [2]uint64{info.Dev, info.Ino}}
	flags := unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC
	if links == Refuse && name[len(name)-1] != '/' {
		flags |= unix.O_NOFOLLOW
	}
	fd, err := openat(unix.AT_FDCWD, name, flags)
	if err == nil {
		err = w.reader.read(fd, func(name []byte, mode uint32) {
			w.entries = append(w.entries, entry{len(w.names), len(name), mode})
			w.names = append(w.names, name...)
		})
	}
	if err != nil {
		fail(b, name, err)
	}
	slices.SortFunc(w.entries[top.entries:], func(x, y entry) int {
		return bytes.Compare(w.names[x.at:x.at+x.n], w.names[y.at:y.at+y.n])
	})
	w.stack = append(w.stack, top)
	if w.path = append(w.path[:0], name...); name[len(name)-1] != '/' {
		w.path = append(w.path, '/')
	}
}

// fail adds an item that has an error for the given name.
func fail(b *filename.Batch, name []byte, err error) {
	b.Items = append(b.Items, filename.Item{Err: newError(name, err)})
}

// Match reports whether the last element of a path matches one of the patterns.
func Match(globs []string, name []byte) bool {
	base := string(name[bytes.LastIndexByte(name, '/')+1:])
	return slices.ContainsFunc(globs, func(glob string) bool {
		ok, _ := path.Match(glob, base) // ignore the error, because the caller has rejected invalid globs
		return ok
	})
}
