// Package limits ends a process that may not have as many files open as Go needs,
// with a message instead of the runtime's traceback.
//
// It does so while packages are initialised, which it must: one that looks at the
// processor opens a file then, and that starts Go's poller, which takes three
// descriptors. Among packages that are ready Go initialises the first by its import
// path, so this one, which imports os and what that does, and nothing that comes later,
// is before all others that open files.
package limits

import (
	"os"
	"syscall"
)

// fewestFiles is with how many open files the poller starts.
const fewestFiles = 8

// trouble is the exit status of a run that could not be.
const trouble = 2

func init() {
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil || files.Cur >= fewestFiles {
		return
	}
	name := base(os.Args[0])
	os.Stderr.WriteString(name + ": only " + string('0'+byte(files.Cur)) + " files may be open\n" +
		name + ": hint: ulimit -n 64 allows what a run needs\n")
	os.Exit(trouble)
}

// base is filepath.Base, whose package would be ready too late.
func base(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '/' {
			return name[i+1:]
		}
	}
	return name
}
