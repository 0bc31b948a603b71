package spill

import (
	"io"
	"os"
	"testing"
)

func TestScratch(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for name, create := range map[string]func() (*os.File, error){"Create": Create, "unlinked": unlinked} {
		f, err := create()
		if err != nil {
			t.Fatal(err)
		}
		if left, _ := os.ReadDir(dir); len(left) != 0 {
			t.Errorf("%s: %v in the directory", name, left)
		}
		if info, err := f.Stat(); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
		io.WriteString(f, "text")
		f.Seek(0, io.SeekStart)
		if b, err := io.ReadAll(f); string(b) != "text" || err != nil {
			t.Errorf("%s: read %q, %v", name, b, err)
		}
		f.Close()
	}
	t.Setenv("TMPDIR", dir+"/none")
	if _, err := Create(); err == nil {
		t.Error("a file in no directory")
	}
}
