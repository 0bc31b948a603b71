package durable

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSync checks that files that do not support syncing cause no error, but that a closed file and
// a missing directory do.
func TestSync(t *testing.T) {
	dir := t.TempDir()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	file, err := os.Create(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*os.File{w, null, file} {
		if err := Sync(f); err != nil {
			t.Error(err)
		}
	}
	file.Close()
	if err := Sync(file); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed file: %v", err)
	}
	missing := filepath.Join(dir, "missing")
	if err := SyncDirs([]string{dir, dir, missing}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", missing, err)
	}
	if err := os.Chmod(dir, 0o300); err != nil { // unreadable, except by root
		t.Fatal(err)
	}
	if err := SyncDir(dir); err != nil {
		t.Error(err)
	}
}

// TestReserved checks that a draft has the bytes written to it, by whichever method, and that the
// disk space reserved for more is freed.
func TestReserved(t *testing.T) {
	name, piece := filepath.Join(t.TempDir(), "file"), strings.Repeat("piece of a file\n", 1<<16)
	d, err := Create(name+".*", name)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var want []byte
	for i := range 20 {
		want = append(want, piece...)
		if i%5 == 4 {
			_, err = io.WriteString(&d, piece)
		} else {
			_, err = d.Write([]byte(piece))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	before, err := d.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.Settle(false), os.Rename(d.Temp, name)); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d: %v", len(got), len(want), err)
	}
	after, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if used := after.Sys().(*syscall.Stat_t).Blocks * 512; used > int64(len(want)+1<<20) {
		t.Errorf("%d bytes of disk space for %d bytes, and %d before the end", used, len(want), before.Sys().(*syscall.Stat_t).Blocks*512)
	}
}
