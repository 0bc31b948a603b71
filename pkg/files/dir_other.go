//go:build !linux

package files

import "golang.org/x/sys/unix"

// openDir opens a directory to look up names in it.
const openDir = unix.O_RDONLY
