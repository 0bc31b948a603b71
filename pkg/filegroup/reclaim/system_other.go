//go:build !linux

package reclaim

import "golang.org/x/sys/unix"

// lease takes none: times tell of changes.
func lease(int) (bool, error) { return false, nil }

func holds(int) bool { return true }

func appendOnly(string) bool { return false }

// exchange is for Linux only.
func exchange(string, string) error { return unix.ENOTSUP }

func noExchange(err error) bool { return err == unix.ENOTSUP }

// renameNew renames a file to a name that nothing has.
func renameNew(from, to string) error { return renameAbsent(from, to) }
