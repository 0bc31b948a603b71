//go:build !linux

package reclaim

import "golang.org/x/sys/unix"

// dedupe is supported only on Linux.
func dedupe(int, int, int64) error { return unix.ENOTSUP }

func sharesBlocks(int, int) bool { return false }

func subvolumes(int, int) bool { return false }
