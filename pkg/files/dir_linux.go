package files

import "golang.org/x/sys/unix"

// openDir opens a directory that need not be readable, to look up names in it.
const openDir = unix.O_PATH
