package tool

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// createNameless creates a file in a directory that has no name until link names it, so
// that a kill leaves nothing. Errors have the display name. It returns nil if the file
// system or the machine does not support such files.
func createNameless(dir, display string) *os.File {
	if d, err := os.Open(dir); err == nil {
		d.Close() // starts Go's poller while descriptors are left: it ends a process that has none
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

// link names a file without a name.
func link(f *os.File, name string) error {
	err := unix.Linkat(unix.AT_FDCWD, procName(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.LinkError{Op: "link", Old: procName(f), New: name, Err: err}
	}
	return nil
}

// writeOut writes the pages of a file to the disk and waits for them. It does not sync the file;
// the later sync reports any write error.
func writeOut(f *os.File) {
	unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WAIT_BEFORE|unix.SYNC_FILE_RANGE_WRITE|unix.SYNC_FILE_RANGE_WAIT_AFTER)
}

func procName(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }
