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
	file              *os.File // not embedded, because io.Copy would use its WriteTo
	start, size, left int64
}

func (r *wholeReader) Read(p []byte) (int, error) {
	n, err := r.file.Read(p)
	if r.left -= int64(n); err == io.EOF && r.left > 0 {
		err = errShrank(r.size-r.left, r.size)
	}
	return n, err
}

// Size returns the number of bytes from the position at which Whole was called to the end.
func (r *wholeReader) Size() int64 { return r.size }

// ReadAt reads at an offset from the position at which Whole was called.
func (r *wholeReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.file.ReadAt(p, r.start+at)
	if end := at + int64(n); err == io.EOF && end < r.size {
		err = errShrank(end, r.size)
	}
	return n, err
}

// Skip sets the position of the next Read, as an offset from that at which Whole was called.
func (r *wholeReader) Skip(to int64) error {
	r.left = r.size - to
	_, err := r.file.Seek(r.start+to, io.SeekStart)
	return err
}

func errShrank(read, size int64) error {
	return fmt.Errorf("shrank while it was read: %d bytes, want %d", read, size)
}

// Whole returns a reader of the rest of f that checks that all bytes are read. Only regular files have a
// reliable size, and those of /sys do not. The reader of a regular file is a Ranges, too.
func Whole(f *os.File) io.Reader {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(f.Name(), "/sys/") {
		return f
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil || at >= info.Size() {
		return f
	}
	return &wholeReader{f, at, info.Size() - at, info.Size() - at}
}

// A Ranges is a file whose parts can be read in any order, by several goroutines concurrently.
type Ranges interface {
	io.ReaderAt
	Size() int64         // size when it was opened
	Skip(to int64) error // sets the offset of the next Read
}
