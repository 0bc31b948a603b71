package record

import (
	"os"

	"golang.org/x/sys/unix"

	"doppel/pkg/files"
)

// decodedShare limits decoded inputs to 1/decodedShare of the free disk space or of the memory,
// whichever is less.
const decodedShare = 4

// decodedRoom returns how many bytes of decoded inputs the scratch directory may hold. It
// returns 0 if that directory is in memory (tmpfs).
func decodedRoom() int64 {
	var disk unix.Statfs_t
	if unix.Statfs(os.TempDir(), &disk) != nil || disk.Type == unix.TMPFS_MAGIC {
		return 0
	}
	return int64(min(disk.Bavail*uint64(disk.Bsize), files.Memory())) / decodedShare
}
