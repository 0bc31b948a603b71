package durable

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// createNameless creates a file without a name in the directory dir; link gives it a name later. If
// the process is killed before that, the file disappears. Error messages show the second argument
// as the name of the file. createNameless returns nil if the file system or the machine does not
// support files without names.
func createNameless(dir, display string) *os.File {
	if d, err := os.Open(dir); err == nil {
		// os.Open starts Go's network poller. If the poller were started later, and no descriptors
		// were left then, Go would abort the process.
		d.Close()
	}
	fd, err := unix.Open(dir, unix.O_WRONLY|unix.O_TMPFILE|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(fd), display)
	if _, err := os.Lstat(procName(f)); err != nil { // the function link needs /proc
		f.Close()
		return nil
	}
	return f
}

// link gives a name to a file that was created without one.
func link(f *os.File, name string) error {
	err := unix.Linkat(unix.AT_FDCWD, procName(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.LinkError{Op: "link", Old: procName(f), New: name, Err: err}
	}
	return nil
}

// writeOut starts writing the file's pages to disk and waits until they are written. That does not
// make the file durable: a sync must follow, which also reports write errors.
func writeOut(f *os.File) {
	unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WAIT_BEFORE|unix.SYNC_FILE_RANGE_WRITE|unix.SYNC_FILE_RANGE_WAIT_AFTER)
}

// reserve reserves disk space for n bytes of a file from an offset, without changing its size. It
// reports whether there is such space. On other file systems than ext4, it does nothing: XFS
// reserves space itself, Btrfs would not compress the file, and tmpfs would fill the space with
// zeros.
func reserve(f *os.File, offset, n int64) bool {
	var disk unix.Statfs_t
	fd := int(f.Fd())
	if unix.Fstatfs(fd, &disk) != nil || disk.Type != unix.EXT4_SUPER_MAGIC {
		return false
	}
	var err error = unix.EINTR
	for err == unix.EINTR {
		err = unix.Fallocate(fd, unix.FALLOC_FL_KEEP_SIZE, offset, n)
	}
	return err == nil
}

func procName(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }
