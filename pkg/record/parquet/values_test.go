package parquet

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"doppel/pkg/record"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
)

// TestValues checks that a value of every type of pyarrow has one form: as a text, an id and a value
// of --within, which are also keys and ranks, in JSON lines, and in a copy as Parquet. The forms are
// those in values.jsonl, which values.py computed, so the tools treat both files alike.
func TestValues(t *testing.T) {
	const name, like = "testdata/values.parquet", "testdata/values.jsonl"
	want, err := os.ReadFile(like)
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	all := write.Selection{Keep: func(int64) bool { return true }}
	if err := writeLines(&lines, []*os.File{mustOpen(t, name)}, all); err != nil || cmp.Diff(string(want), lines.String()) != "" {
		t.Fatal(err, cmp.Diff(string(want), lines.String()))
	}
	var copied bytes.Buffer
	if err := copyRows(&copied, []*os.File{mustOpen(t, name)}, dataform.Packing{}, all); err != nil {
		t.Fatal(err)
	}
	again := writeTemp(t, copied.Bytes())
	lines.Reset()
	if err := writeLines(&lines, []*os.File{again}, all); err != nil || cmp.Diff(string(want), lines.String()) != "" {
		t.Error(err, cmp.Diff(string(want), lines.String()))
	}
	for column := range objects(t, want)[0] {
		for _, missing := range []record.Missing{record.MissingError, record.MissingKeep, record.MissingDrop} {
			for what, opt := range map[string]record.Options{
				"text": {Fields: []string{column}, Missing: missing}, "id": {Fields: []string{"int64"}, ID: column, Missing: missing},
				"within": {Fields: []string{"int64"}, Within: column, Missing: missing},
			} {
				if what != "text" && column == "int64" {
					continue // a field can be named only once
				}
				rows, lines := valuesOf(t, name, opt), valuesOf(t, like, opt)
				if !slices.Equal(rows, lines) {
					t.Errorf("%s as %s, %s: %q in Parquet, %q in JSON lines", column, what, missing, rows, lines)
				}
			}
		}
	}
	for column := range objects(t, want)[0] {
		texts := valuesOf(t, name, record.Options{Fields: []string{column}})
		for i, row := range objects(t, want)[:4] { // the last row is null
			if text, ok := row[column].(string); ok && texts[i] != "| "+text+" |" {
				t.Errorf("%s: %q, want %q", column, texts[i], text)
			}
		}
	}
}

// valuesOf returns the id, the text and the value of each record, or "bad" or "dropped".
func valuesOf(t *testing.T, name string, opt record.Options) (all []string) {
	t.Helper()
	rd, err := record.NewReader(record.Input{Names: []string{name}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	var b record.Batch
	for rd.Next(&b) == nil {
		b.Decode()
		for _, rec := range b.Records {
			id := string(rec.ID)
			if opt.ID == "" {
				id = ""
			}
			one := fmt.Sprintf("%s| %s |%s", id, rec.Text, rec.Value)
			if b.CutAtError(); rec.Err != nil {
				if one = "dropped"; b.Cut != nil {
					one = "bad"
				}
			}
			all = append(all, one)
		}
	}
	return all
}

// writeTemp returns a file with the given content.
func writeTemp(t *testing.T, content []byte) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err == nil {
		_, err = f.Write(content)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
