package files

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/sys/unix"
)

// sparse creates a file of the given size that takes no space on disk.
func sparse(t *testing.T, size int64) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "sparse")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	return name
}

func roomOf(t *testing.T, name string) int {
	t.Helper()
	f, err := Open([]byte(name), Refuse)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return f.room()
}

// TestAppendClaims checks that no memory is allocated for the holes of a sparse file before it is
// read, and that Append returns an error for a file too large for memory.
func TestAppendClaims(t *testing.T) {
	got, err := Append([]byte("x"), []byte(sparse(t, 1<<40)), Refuse)
	if !errors.Is(err, ErrTooLarge) || string(got) != "x" || cap(got) > 64 {
		t.Errorf("%d bytes of %d, %v", len(got), cap(got), err)
	}
	name := sparse(t, 5<<20)
	if n := roomOf(t, name); n > trustedSize {
		t.Errorf("there is room for %d bytes at once", n)
	}
	if got, err := Append([]byte("x"), []byte(name), Refuse); err != nil || !bytes.Equal(got, append([]byte("x"), make([]byte, 5<<20)...)) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestAppendRoom checks that memory for a whole file is allocated in advance if all of its bytes
// are on disk.
func TestAppendRoom(t *testing.T) {
	name := filepath.Join(t.TempDir(), "full")
	if err := os.WriteFile(name, bytes.Repeat([]byte("text"), 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := roomOf(t, name); n < trustedSize || n > 4<<20 {
		t.Errorf("there is room for %d of %d bytes", n, 4<<20)
	}
	got, err := Append(nil, []byte(name), Refuse)
	if err != nil || len(got) != 4<<20 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestAppendFails checks that nothing is appended if a file cannot be read.
func TestAppendFails(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]error{dir: ErrDirectory, "/dev/null": ErrNotRegular, dir + "/none": unix.ENOENT, "/proc/self/mem": unix.EIO} {
		got, err := Append([]byte("x"), []byte(name), Follow)
		if string(got) != "x" || !errors.Is(err, want) || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	// A file is read to its end even if its reported size is 0.
	if got, err := Append(nil, []byte("/proc/self/status"), Follow); err != nil || !bytes.HasPrefix(got, []byte("Name:")) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestAppendAll checks that appendAll appends all bytes or returns the read error, however much
// memory it allocates in advance.
func TestAppendAll(t *testing.T) {
	text := bytes.Repeat([]byte("0123456789"), 1000)
	for _, room := range []int{0, 1, 511, len(text), 2 * len(text)} {
		got, err := appendAll([]byte("> "), iotest.HalfReader(bytes.NewReader(text)), room, 5000)
		if err != nil || string(got) != "> "+string(text) {
			t.Errorf("room %d: %d bytes, %v", room, len(got), err)
		}
	}
	if got, err := appendAll(nil, iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(text))), 3, 0); err != iotest.ErrTimeout || len(got) != 1 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
