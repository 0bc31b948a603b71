//go:build !linux

package reclaim

import "golang.org/x/sys/unix"

// lease takes no lease: changes show only in the times of the file.
func lease(int) (bool, error) { return false, nil }

func holds(int) bool { return true }

func appendOnly(string) bool { return false }

// exchange is supported only on Linux.
func exchange(string, string) error { return unix.ENOTSUP }

func noExchange(err error) bool { return err == unix.ENOTSUP }

// renameNew renames a file to a new name, and fails if the name exists.
func renameNew(from, to string) error { return renameAbsent(from, to) }
