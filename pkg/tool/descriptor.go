package tool

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// openDescriptor opens what a name such as /dev/stdout or /dev/fd/3 names for writing,
// and reports whether it is such a name. It writes where that descriptor does, behind
// what was written there before: opened by its name, a file would be begun anew, and
// lose its beginning.
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

// IsDescriptor reports whether a name names a descriptor of this process, which is written
// through.
func IsDescriptor(name string) bool {
	_, ok := descriptor(name)
	return ok
}

// descriptor returns the number of the descriptor that a name names.
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
