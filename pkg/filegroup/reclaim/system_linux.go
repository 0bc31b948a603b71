package reclaim

import (
	"errors"

	"golang.org/x/sys/unix"
)

// lease takes a read lease on an open file. It returns an error if the file is open for writing. If
// a program opens the file for writing later, the kernel breaks the lease and makes that program
// wait until this process closes the file, but not longer than /proc/sys/fs/lease-break-time
// seconds. The result is false if leases are not permitted, or if the file system does not support
// them.
func lease(fd int) (bool, error) {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK)
	if err == unix.EAGAIN {
		return false, errWritten
	}
	return err == nil, nil
}

// leaseHeld reports whether the lease on an open file is unbroken.
func leaseHeld(fd int) bool {
	kind, err := unix.FcntlInt(uintptr(fd), unix.F_GETLEASE, 0)
	return err == nil && kind == unix.F_RDLCK
}

// appendOnly reports whether a directory is append-only (chattr +a), so that no name can be removed
// from it.
func appendOnly(dir string) bool {
	var st unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, dir, 0, 0, &st)
	return err == nil && st.Attributes&unix.STATX_ATTR_APPEND != 0
}

// exchange swaps two names in one step.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// noExchange reports whether err means that the file system cannot exchange names.
func noExchange(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP)
}

// renameNew renames a file. It returns an error if the new name exists.
func renameNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if noExchange(err) {
		return renameAbsent(from, to)
	}
	return err
}
