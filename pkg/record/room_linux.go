package record

import (
	"os"

	"golang.org/x/sys/unix"

	"doppel/pkg/files"
)

// decodedShare divides free disk and memory to get the limit of the decoded inputs.
const decodedShare = 4

// decodedRoom returns how many bytes of decoded inputs the scratch directory may hold; 0 if
// it is in memory.
func decodedRoom() int64 {
	var disk unix.Statfs_t
	if unix.Statfs(os.TempDir(), &disk) != nil || disk.Type == unix.TMPFS_MAGIC {
		return 0
	}
	return int64(min(disk.Bavail*uint64(disk.Bsize), files.Memory())) / decodedShare
}
