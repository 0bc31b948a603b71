//go:build !linux

package reclaim

import "golang.org/x/sys/unix"

// lease returns false, because leases are supported only on Linux. Writes by other programs are
// detected only by the size and times of the file.
func lease(int) (bool, error) { return false, nil }

func leaseHeld(int) bool { return true }

func appendOnly(string) bool { return false }

// exchange is supported only on Linux.
func exchange(string, string) error { return unix.ENOTSUP }

func noExchange(err error) bool { return err == unix.ENOTSUP }

// renameNew renames a file. It returns an error if the new name exists.
func renameNew(from, to string) error { return renameAbsent(from, to) }
