package tool

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// An atomicFile is whole or untouched: it is written beside its place, where that can be
// without a name, and renamed at the end. What is no regular file (a device, a pipe), or is named by
// a descriptor (/dev/fd/3), is written through, never replaced.
type atomicFile struct {
	*os.File
	nameless bool   // it gets the name beside at the end
	beside   string // the name until the rename, "" where written through
	place    string
	kept     string // the name of what was in the place, until all outputs are in theirs; or ""
	name     string // as it was given
	replaces bool   // it may be an input, of the same name
}

func createFile(name string) (*atomicFile, error) {
	if f, ok, err := openDescriptor(name); ok {
		return &atomicFile{File: f}, err
	}
	if throughWritten(name) {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &atomicFile{File: f}, err
	}
	place, err := target(name) // replace what a link points to, not the link
	if err != nil {
		return nil, err
	}
	dir, pattern := filepath.Dir(place), hidden(place)
	if f := createNameless(dir, name); f != nil {
		beside := filepath.Join(dir, strings.Replace(pattern, "*", strconv.FormatUint(rand.Uint64(), 10), 1))
		return &atomicFile{File: f, nameless: true, beside: beside, place: place, name: name}, nil
	}
	f, err := os.CreateTemp(dir, pattern)
	if p := (*os.PathError)(nil); errors.As(err, &p) {
		if p.Path = name; errors.Is(err, os.ErrNotExist) {
			p.Path = dir // it is missing, not the file
		}
	}
	if err != nil {
		return nil, err
	}
	return &atomicFile{File: f, beside: f.Name(), place: place, name: name}, nil
}

// maxLinks is how many links Linux follows.
const maxLinks = 40

// target returns the name of what a name leads to over links, which need not be
// there yet.
func target(name string) (string, error) {
	for range maxLinks {
		to, err := os.Readlink(name)
		if err != nil {
			return name, nil // no link; what else is wrong shows up when it is made
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return "", &os.PathError{Op: "open", Path: name, Err: syscall.ELOOP}
}

func throughWritten(name string) bool {
	info, err := os.Stat(name)
	return err == nil && (!info.Mode().IsRegular() || strings.HasPrefix(name, "/dev/"))
}

// longestHidden bounds what of a name stands in the hidden one: a name of 255
// bytes is the longest that file systems take.
const longestHidden = 200

// hidden returns the pattern of the name that a file has until it is whole. The
// end of the name stays, for it says what the file is.
func hidden(name string) string {
	base := filepath.Base(name)
	if n := len(base) - longestHidden; n > 0 {
		base = base[n:]
	}
	return ".*." + base
}

// sameAs reports whether two files are to have the same place.
func (a *atomicFile) sameAs(b *atomicFile) bool {
	return a != nil && a.beside != "" && b.beside != "" && a.whole() == b.whole()
}

// sameStream reports whether two outputs are written through to one file or pipe, where
// their lines would be mixed. A device may be shared, as /dev/null is.
func (o *output) sameStream(b *atomicFile) bool {
	own, ok := o.raw.(interface{ Stat() (os.FileInfo, error) })
	if !ok || b.beside != "" {
		return false
	}
	x, errX := own.Stat()
	y, errY := b.Stat()
	return errX == nil && errY == nil && x.Mode()&os.ModeDevice == 0 && os.SameFile(x, y)
}

// whole returns the place by a name that does not depend on how it was given.
func (a *atomicFile) whole() string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(a.place))
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return a.place
	}
	return filepath.Join(dir, filepath.Base(a.place))
}

// clash returns an error if the place is that of an input.
func (a *atomicFile) clash(in inputs) error {
	if a == nil || a.beside == "" {
		return nil
	}
	return in.check(a.name, a.replaces)
}

// remove removes what is not in its place yet.
func (a *atomicFile) remove() {
	if a != nil && a.beside != "" {
		os.Remove(a.beside)
	}
}

// mode returns the mode of the file that is replaced, or that of a new one.
func (a *atomicFile) mode() os.FileMode {
	if info, err := os.Stat(a.place); err == nil {
		return info.Mode().Perm()
	}
	return newFileMode()
}
