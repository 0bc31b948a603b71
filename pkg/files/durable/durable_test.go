package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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
