package files

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// NamesStream reports whether a name can stand for a stream even if it leads to a regular file, as
// /dev/stdin and /proc/self/fd/3 can. The files in /dev/shm are ordinary files.
func NamesStream(name string) bool {
	return strings.HasPrefix(name, "/dev/") && !strings.HasPrefix(name, "/dev/shm/") || strings.HasPrefix(name, "/proc/")
}

// A wholeReader reads a regular file to its end. It returns an error in place of io.EOF if the file
// has fewer bytes than when it was opened. A file that ends with a complete line or record would
// otherwise look complete.
type wholeReader struct {
	io.Reader
	size, left int64
}

func (r *wholeReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if r.left -= int64(n); err == io.EOF && r.left > 0 {
		err = errShrank(r.size-r.left, r.size)
	}
	return n, err
}

func errShrank(read, size int64) error {
	return fmt.Errorf("shrank while it was read: %d bytes, want %d", read, size)
}

// Whole returns a reader of the rest of f that checks that all bytes are read. Only regular files have a
// reliable size, and those of /sys do not.
func Whole(f *os.File) io.Reader {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(f.Name(), "/sys/") {
		return f
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil || at >= info.Size() {
		return f
	}
	return &wholeReader{f, info.Size() - at, info.Size() - at}
}
