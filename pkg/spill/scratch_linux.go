package spill

import (
	"os"

	"golang.org/x/sys/unix"
)

// nameless creates a file that never has a name, on the file system of dir. Not all file systems
// support such files; see O_TMPFILE in open(2).
func nameless(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDWR|unix.O_TMPFILE, 0o600)
}
