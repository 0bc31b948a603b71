package write

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
)

// TestCompression checks that a compressed stream, even an empty one, decompresses to the bytes
// written.
func TestCompression(t *testing.T) {
	for name, magic := range map[string]string{"a.gz": "\x1f\x8b", "a.zst": "\x28\xb5\x2f\xfd", "a.gz.jsonl": "", "a": ""} {
		for _, text := range []string{"", "a line\n", strings.Repeat("a line\n", 100000)} {
			var b bytes.Buffer
			w, err := Compress(&b, dataform.Packing{Compression: dataform.CompressionOf(name)})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(w, text); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil || !strings.HasPrefix(b.String(), magic) {
				t.Fatalf("%s: %.4q, %v", name, b.String(), err)
			}
			file := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			s, err := record.OpenStream(file, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(s); err != nil || string(got) != text {
				t.Errorf("%s: %d bytes, %v, want %d", name, len(got), err, len(text))
			}
			s.Close()
		}
	}
}
