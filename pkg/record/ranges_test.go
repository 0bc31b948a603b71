package record

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"doppel/pkg/files"
)

// TestRanges checks that a file that several goroutines read ahead has the same bytes, also if it
// grows, and the same error if it shrinks.
func TestRanges(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	for _, c := range []struct{ before, after int }{
		{blockSize + 1, blockSize + 1}, {2 * blockSize, 2 * blockSize}, {20*blockSize + 5, 20*blockSize + 5},
		{5*blockSize - 1, 6*blockSize + 1}, {40*blockSize + 5, 39*blockSize + 9}, {3 * blockSize, 7}, {3*blockSize + 7, 3 * blockSize},
	} {
		data := make([]byte, max(c.before, c.after))
		rand.NewChaCha8([32]byte{byte(c.before)}).Read(data)
		read := func(jobs int) ([]byte, error) {
			if err := os.WriteFile(name, data[:c.before], 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			s := &Stream{Name: "file", r: files.Whole(f), jobs: jobs}
			s.readAhead()
			defer s.Close()
			if err := os.WriteFile(name, data[:c.after], 0o600); err != nil {
				t.Fatal(err)
			}
			return io.ReadAll(s)
		}
		want, wantErr := read(1)
		got, err := read(3)
		if !bytes.Equal(got, want) || (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Errorf("%v: %d bytes and %v, want %d and %v", c, len(got), err, len(want), wantErr)
		}
	}
}

// TestRangesClose checks that a reader can be closed before the end.
func TestRangesClose(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file.csv")
	if err := os.WriteFile(name, bytes.Repeat([]byte("a,b\n"), 10*blockSize), 0o600); err != nil {
		t.Fatal(err)
	}
	rd, err := NewReader(Input{Names: []string{name}, Jobs: 3}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b Batch
	if err := rd.Next(&b); err != nil || len(b.Records) == 0 {
		t.Fatal(err)
	}
	if err := rd.source.Close(); err != nil {
		t.Error(err)
	}
}
