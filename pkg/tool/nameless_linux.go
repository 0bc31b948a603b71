package tool

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// createNameless creates a file in a directory that has no name until link gives it one, so
// that a kill leaves nothing. Errors call it by the display name. Nil: the file system or
// the machine has no such files.
func createNameless(dir, display string) *os.File {
	if d, err := os.Open(dir); err == nil {
		d.Close() // which starts Go's poller while there are descriptors left: it ends a process that has none
	}
	fd, err := unix.Open(dir, unix.O_WRONLY|unix.O_TMPFILE|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(fd), display)
	if _, err := os.Lstat(procName(f)); err != nil { // link needs it
		f.Close()
		return nil
	}
	return f
}

// link gives a file without a name this name.
func link(f *os.File, name string) error {
	err := unix.Linkat(unix.AT_FDCWD, procName(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.LinkError{Op: "link", Old: procName(f), New: name, Err: err}
	}
	return nil
}

// writeOut has the pages of a file written to the disk, and waits for them. It syncs
// nothing, and its errors are those of the sync.
func writeOut(f *os.File) {
	unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WAIT_BEFORE|unix.SYNC_FILE_RANGE_WRITE|unix.SYNC_FILE_RANGE_WAIT_AFTER)
}

func procName(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }
