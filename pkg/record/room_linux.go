package record

import (
	"os"

	"golang.org/x/sys/unix"

	"doppel/pkg/files"
)

// decodedShare is the part of the free disk, and of the memory, that decoded inputs may take.
const decodedShare = 4

// decodedRoom returns the bytes of decoded inputs that the directory of scratch files has
// room for: 0 if that directory is in memory.
func decodedRoom() int64 {
	var disk unix.Statfs_t
	if unix.Statfs(os.TempDir(), &disk) != nil || disk.Type == unix.TMPFS_MAGIC {
		return 0
	}
	return int64(min(disk.Bavail*uint64(disk.Bsize), files.Memory())) / decodedShare
}
