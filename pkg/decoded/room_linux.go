package decoded

import (
	"os"

	"golang.org/x/sys/unix"

	"doppel/pkg/files"
)

// share is what part of the free disk, and of the memory, copies may take.
const share = 4

// Room returns how many bytes of copies the directory of scratch files has room for;
// none where that is in memory itself.
func Room() int64 {
	var disk unix.Statfs_t
	if unix.Statfs(os.TempDir(), &disk) != nil || disk.Type == unix.TMPFS_MAGIC {
		return 0
	}
	return int64(min(disk.Bavail*uint64(disk.Bsize), files.Memory())) / share
}
