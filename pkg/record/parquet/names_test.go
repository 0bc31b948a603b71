package parquet

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
)

// TestBytesNote checks that a text of bytes without a text type is noted once, and a text with one is
// not.
func TestBytesNote(t *testing.T) {
	foreign := filepath.Join("..", "..", "..", "testdata", "foreign")
	for file, want := range map[string]int{"duckdb-types.parquet raw": 1, "duckdb-types.parquet small": 0, "pyarrow-flat.parquet text": 0} {
		name, field, _ := strings.Cut(file, " ")
		name = filepath.Join(foreign, name)
		rd, err := record.NewReader(record.Input{Names: []string{name, name}}, record.Options{Fields: []string{field}})
		var b record.Batch
		for err == nil {
			err = rd.Next(&b)
		}
		if err != io.EOF || len(rd.Notes()) != want {
			t.Errorf("%s: notes %q, %v", file, rd.Notes(), err)
		}
	}
}

// TestOneName checks that files with two columns of one name are copied, but that the name cannot be a
// field, and the rows cannot become objects.
func TestOneName(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "foreign", "pyarrow-types.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "twice.parquet")
	b = bytes.ReplaceAll(b, []byte("small"), []byte("large"))
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	files := []*os.File{mustOpen(t, name)}
	var out bytes.Buffer
	if err := copyRows(&out, files, dataform.Packing{Jobs: 1}, write.Selection{Keep: drops["none"]}); err != nil || out.Len() == 0 {
		t.Errorf("copy: %v", err)
	}
	out.Reset()
	err = writeLines(&out, files, write.Selection{Keep: drops["none"]})
	if err == nil || !strings.Contains(err.Error(), `two columns have the name "large", so rows cannot become objects`) || out.Len() > 0 {
		t.Errorf("lines: %v", err)
	}
	for field, fails := range map[string]bool{"large": true, "count": false} {
		_, _, err := readTexts(t, record.Options{Fields: []string{field}, Missing: record.MissingKeep}, record.Input{Names: []string{name}})
		if got := err != nil && strings.Contains(err.Error(), `two columns have the name "large"`); got != fails {
			t.Errorf("field %s: %v", field, err)
		}
	}
}
