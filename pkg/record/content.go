package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"sync"
	"syscall"
)

// The size that a file claims may be far more than there is of it: holes take no
// room on disk. So memory is taken at once for no more than is on disk, and for
// the rest as it is read; and what memory cannot hold is refused.

// believed is how many bytes of a claim have memory at once in any case.
const believed = 1 << 20

var (
	errNotRegular = errors.New("not a regular file")
	errTooLarge   = errors.New("more than a quarter of the memory")
)

// mostBytes is how much of one file is held: there must be room for a copy while
// it grows, and for what is made of it.
var mostBytes = sync.OnceValue(func() int64 {
	limit := syscall.Rlimit{Cur: math.MaxInt64}
	syscall.Getrlimit(syscall.RLIMIT_AS, &limit)
	return int64(min(limit.Cur, memory())) / 4
})

// AppendFile appends the content of the named regular file to dst. What is no
// regular file is refused without being opened, for opening a FIFO can hang; so is
// one of more bytes than a quarter of the memory.
func AppendFile(dst []byte, name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return dst, err
	case !info.Mode().IsRegular():
		return dst, fmt.Errorf("%s: %w", name, errNotRegular)
	case info.Size() > mostBytes():
		return dst, fmt.Errorf("%s: %d bytes, %w", name, info.Size(), errTooLarge)
	}
	f, err := openPlain(name)
	if err != nil {
		return dst, err
	}
	defer f.Close()
	dst, err = appendAll(dst, f, room(info), int(info.Size()))
	if err == errTooLarge {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return dst, err
}

// room returns for how much of a file there is to be memory at once.
func room(info fs.FileInfo) int {
	onDisk := int64(0)
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		onDisk = stat.Blocks * 512
	}
	return int(min(info.Size(), max(believed, onDisk)))
}

// appendAll appends what r has to dst: it takes room for that much, and then
// twice as much again and again, but no more than for the size that is claimed,
// unless there turns out to be more.
func appendAll(dst []byte, r io.Reader, room, claimed int) ([]byte, error) {
	start := len(dst)
	if cap(dst)-len(dst) <= room {
		dst = grown(dst, len(dst)+room) // twice what it holds: in a batch more files follow
	}
	for {
		if len(dst) == cap(dst) {
			dst = grown(dst, nextRoom(len(dst)-start, claimed))
		}
		n, err := r.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		switch {
		case err == io.EOF:
			return dst, nil
		case err == nil && int64(len(dst)-start) > mostBytes():
			err = errTooLarge // it grew, or claimed to be empty
		}
		if err != nil {
			return dst, err
		}
	}
}

// nextRoom returns how many bytes more there is to be room for, when so many
// were read.
func nextRoom(read, claimed int) int {
	if left := claimed - read; left > 0 {
		return min(read, left) + 1 // and to meet the end
	}
	return read + 1
}

// grown returns dst with room for n bytes more, and a few.
func grown(dst []byte, n int) []byte {
	return append(make([]byte, 0, len(dst)+n+512), dst...)
}
