package parquet

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
)

// copyBytes copies some rows of a file with the content b.
func copyBytes(t testing.TB, b []byte) error {
	name := filepath.Join(t.TempDir(), "damaged")
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	err = copyRows(io.Discard, []*os.File{f}, dataform.Packing{Jobs: 2}, write.Selection{Keep: drops["random"]})
	if err != nil && !strings.Contains(err.Error(), name) {
		t.Errorf("no file is named: %v", err)
	}
	return err
}

func smallFile(t testing.TB, options ...pq.WriterOption) []byte {
	var b bytes.Buffer
	options = append(options, pq.MaxRowsPerRowGroup(100), pq.PageBufferSize(400))
	if err := pq.Write(&b, flats(150), options...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestCopyDamaged checks that copying a damaged file returns an error that names the file. The
// checksum of a page must be verified even if the page is not decoded.
func TestCopyDamaged(t *testing.T) {
	whole := smallFile(t)
	if err := copyBytes(t, whole); err != nil {
		t.Fatal(err)
	}
	for at := 4; at < len(whole)/3; at += 97 {
		b := bytes.Clone(whole)
		for i := at; i < at+40; i++ {
			b[i] ^= 0x55
		}
		if err := copyBytes(t, b); err == nil {
			t.Errorf("damage at %d: no error", at)
		}
	}
	for _, n := range []int{4, 5, 100, len(whole) / 2, len(whole) - 1} {
		if err := copyBytes(t, whole[:n]); err == nil {
			t.Errorf("cut at %d: no error", n)
		}
	}
}

func FuzzCopy(f *testing.F) {
	for _, version := range []int{1, 2} {
		whole := smallFile(f, pq.DataPageVersion(version), pq.Compression(&pq.Snappy))
		for at := 4; at < len(whole); at += len(whole) / 50 {
			f.Add(version, at, byte(1), []byte{0xff, 0xff})
		}
	}
	files := [][]byte{smallFile(f), smallFile(f, pq.DataPageVersion(1), pq.Compression(&pq.Snappy)), smallFile(f, pq.Compression(&pq.Zstd))}
	f.Fuzz(func(t *testing.T, file, at int, x byte, with []byte) {
		b := bytes.Clone(files[uint(file)%uint(len(files))])
		at = int(uint(at) % uint(len(b)))
		b[at] ^= x
		copy(b[at:], with)
		copyBytes(t, b) // any result, but no panic
	})
}
