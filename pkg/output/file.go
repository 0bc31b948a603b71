package output

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"doppel/pkg/files"
	"doppel/pkg/files/durable"
	"doppel/pkg/line/kind"
	"doppel/pkg/msg"
)

// An atomicFile is written completely or not at all: its content is written to a temporary file in
// the directory of the destination. If the system supports it, the temporary file has no name until
// the end. It is then given a name, if necessary, and renamed to the destination. A destination
// that is not a regular file (a device, a pipe), or that is named by a descriptor (/dev/fd/3), is
// written directly. A destination in the directory of a collection is refused, because it might
// replace a file of the collection.
type atomicFile struct {
	durable.Draft        // in the destination's directory; Temp is "" if the destination is written directly
	place         string // name of the destination itself, with links resolved
	kept          string // temporary name of the old file until all outputs are in place, or ""
	name          string // name of the destination as the user gave it
	replaced      string // name of the input that the file may replace; "" if none
	early         bool   // is in place already; see placeEarly
	full          string // result of canonical, after its first call
	whole         int64  // with early: number of bytes of the lines that were written whole
}

// createFile creates an atomicFile for a destination. Error messages show the second argument
// instead of the temporary name.
func createFile(name, display string, collections []string) (*atomicFile, error) {
	if f, ok, err := openDescriptor(name); ok {
		return &atomicFile{Draft: durable.Draft{File: f}}, err
	}
	if info, err := os.Stat(name); err == nil && (!info.Mode().IsRegular() || files.NamesStream(name)) {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		return &atomicFile{Draft: durable.Draft{File: f}}, err
	}
	place, err := followLinks(name) // replace the target of a link, not the link
	if err != nil {
		return nil, err
	}
	if err := checkDir(filepath.Dir(place), display, collections); err != nil {
		return nil, err
	}
	base := filepath.Base(place)
	// Keep the suffix: it determines the format.
	temp := filepath.Join(filepath.Dir(place), ".*."+base[max(0, len(base)-longestHidden):])
	draft, err := durable.Create(temp, display)
	return &atomicFile{Draft: draft, place: place, name: name}, err
}

// checkDir returns an error if the directory of an output is a collection, or will be one that the
// run creates. Error messages name the output.
func checkDir(dir, output string, collections []string) error {
	if !kind.IsCollection(dir) && !slices.ContainsFunc(collections, func(c string) bool { return sameDir(dir, c) }) {
		return nil
	}
	return msg.WithHint(fmt.Errorf("%s: an output in %s, which is a collection", output, dir), "write to another directory")
}

// sameDir reports whether two names lead to one directory, which need not exist.
func sameDir(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return os.SameFile(x, y)
	}
	a, errX = filepath.Abs(a)
	b, errY = filepath.Abs(b)
	return errX == nil && errY == nil && a == b
}

const (
	maxLinks      = 40  // maximum number of links followed, as in Linux
	longestHidden = 200 // a temporary name ends with at most this many bytes of the final name
)

// followLinks follows symbolic links and returns the final name. The file need not exist.
func followLinks(name string) (string, error) {
	for range maxLinks {
		to, err := os.Readlink(name)
		if err != nil {
			// The name is not a link, or Readlink failed for another reason. In the second case,
			// creating the file will fail too, and report the error.
			return name, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return "", &os.PathError{Op: "open", Path: name, Err: syscall.ELOOP}
}

// canonical returns the absolute path of a destination, with symbolic links in its directory resolved.
func canonical(place string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(place))
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return place
	}
	return filepath.Join(dir, filepath.Base(place))
}

// canonical is like the function canonical, for the destination of a.
func (a *atomicFile) canonical() string {
	if a.full == "" {
		a.full = canonical(a.place)
	}
	return a.full
}

// SamePlace reports whether two names lead to the same destination, which need not exist.
func SamePlace(a, b string) (bool, error) {
	a, err := followLinks(a)
	if err != nil {
		return false, err
	}
	b, err = followLinks(b)
	return err == nil && canonical(a) == canonical(b), err
}

// delegate closes a file that a stage or another program will write, and returns the name to use for it.
func (a *atomicFile) delegate() (string, error) {
	name := a.Name()
	return cmp.Or(a.Temp, name), a.Vacate()
}

// remove removes the temporary file, if there is one. The receiver may be nil.
func (a *atomicFile) remove() {
	if a != nil {
		a.Remove()
	}
}

// openDescriptor opens a name such as /dev/stdout or /dev/fd/3 for writing; ok reports whether the
// name refers to a descriptor. The result is a duplicate of the descriptor, so that output is
// appended to what was written before; opening the file by name would truncate it.
func openDescriptor(name string) (f *os.File, ok bool, err error) {
	n, ok := descriptor(name)
	if !ok {
		return nil, false, nil
	}
	own, err := syscall.Dup(n)
	if err != nil {
		return nil, true, &os.PathError{Op: "open", Path: name, Err: err}
	}
	syscall.CloseOnExec(own)
	return os.NewFile(uintptr(own), name), true, nil
}

// IsDescriptor reports whether a name, such as /dev/stdout, refers to a descriptor of this process.
// Such an output is written directly, not renamed into place.
func IsDescriptor(name string) bool {
	_, ok := descriptor(name)
	return ok
}

// descriptor returns the number of the descriptor that a name refers to; ok reports whether there
// is one.
func descriptor(name string) (n int, ok bool) {
	switch name {
	case "/dev/stdout":
		return 1, true
	case "/dev/stderr":
		return 2, true
	}
	for _, dir := range []string{"/dev/fd/", "/proc/self/fd/"} {
		if digits, found := strings.CutPrefix(name, dir); found {
			n, err := strconv.Atoi(digits)
			return n, err == nil && n >= 0
		}
	}
	return 0, false
}
