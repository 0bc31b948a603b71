package parquet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record/dataform"
	"doppel/pkg/record/write"
)

// objectsOf parses JSON lines.
func objectsOf(t *testing.T, lines []byte) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(string(lines)) {
		var object map[string]any
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&object); err != nil {
			t.Fatal(err)
		}
		all = append(all, object)
	}
	return all
}

// TestSized checks copies made page by page, row by row and as JSON lines. A copy must repeat each
// kept row as the function Times requests, and must have the cluster size in the last column. This
// column must replace an existing column of the same name.
func TestSized(t *testing.T) {
	size := func(i int64) int64 { return []int64{1, 1, 1, 2, 1, 7}[i%6] + i/300*30 }
	times := func(size int64) int64 { return min(size, 4) }
	for version, buffer := range []int{1: 1 << 18, 2: 400} {
		if version > 0 {
			dir := t.TempDir()
			options := []pq.WriterOption{
				pq.DataPageVersion(version), pq.PageBufferSize(buffer), pq.Compression(&pq.Snappy), pq.KeyValueMetadata("ARROW:schema", "of fewer columns"),
				pq.SortingWriterConfig(pq.SortingColumns(pq.Ascending("id"), pq.Ascending("lang"))),
			}
			files := []*os.File{
				writeFlats(t, filepath.Join(dir, "a"), flats(300), 120, options...),
				writeFlats(t, filepath.Join(dir, "b"), flats(20), 1000, options...),
			}
			var text bytes.Buffer
			if err := writeLines(&text, files, write.Selection{Keep: drops["none"]}); err != nil {
				t.Fatal(err)
			}
			for field, plain := range map[string]string{"size": "", "lang": "lang", "deep": "deep", "id": "id", "small": "small"} {
				for _, repeat := range []func(int64) int64{nil, times} {
					for _, name := range []string{"none", "all", "first"} {
						keep := drops[name]
						var want []map[string]any
						for i, object := range objectsOf(t, text.Bytes()) {
							delete(object, plain)
							object[field] = json.Number(fmt.Sprint(size(int64(i))))
							n := int64(1)
							if repeat != nil {
								n = repeat(size(int64(i)))
							}
							for ; n > 0 && keep(int64(i)); n-- {
								want = append(want, object)
							}
						}
						what := write.Selection{Keep: keep, Sized: &write.Sized{Sizes: &write.Sizes{Field: field, Force: plain != "", Times: repeat}, Size: size}}
						for way, write := range map[string]func(io.Writer) error{
							"pages": func(w io.Writer) error { return copyRows(w, files, dataform.Packing{Jobs: 3}, what) },
							"zstd":  func(w io.Writer) error { return copyRows(w, files, dataform.Packing{Jobs: 3, Codec: "zstd"}, what) },
							"rows":  func(w io.Writer) error { return copyByRow(w, unionOf(t, files...), nil, nil, what, nil) },
							"lines": func(w io.Writer) error { return writeLines(w, files, what) },
						} {
							var got bytes.Buffer
							if err := write(&got); err != nil {
								t.Fatal(err)
							}
							lines := got.Bytes()
							if way != "lines" {
								lines = linesOfCopy(t, got.Bytes(), field)
							}
							if have := objectsOf(t, lines); !reflect.DeepEqual(want, have) {
								t.Fatalf("version %d, pages of %d, %s of %s, %s: %v, want %v", version, buffer, field, way, name, have, want)
							}
						}
					}
				}
			}
		}
	}
}

// linesOfCopy returns the rows of a file as JSON lines. It checks that parquet-go can also read the
// file, that the last column is a required int64 field, and that the metadata has no Arrow schema.
func linesOfCopy(t *testing.T, b []byte, field string) []byte {
	t.Helper()
	lib, err := pq.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	rows(t, b)
	columns := lib.Root().Columns()
	if last := columns[len(columns)-1]; last.Name() != field || last.Optional() || last.Type().Kind() != pq.Int64 {
		t.Fatalf("the last column is %v", last)
	}
	if v, ok := lib.Lookup("ARROW:schema"); ok {
		t.Errorf("the metadata has the columns of Arrow: %s", v)
	}
	for _, g := range lib.Metadata().RowGroups {
		for _, by := range g.SortingColumns {
			if name := g.Columns[by.ColumnIdx].MetaData.PathInSchema[0]; name != "id" && name != "lang" || name == field {
				t.Errorf("sorted by %s", name)
			}
		}
	}
	var out bytes.Buffer
	if err := writeLines(&out, []*os.File{asFile(t, b)}, write.Selection{Keep: drops["none"]}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestSizedPages checks that adding a size column does not change the pages of the other columns.
func TestSizedPages(t *testing.T) {
	f := writeFlats(t, filepath.Join(t.TempDir(), "a"), flats(500), 1000)
	var plain, sized bytes.Buffer
	sizes := &write.Sized{Sizes: &write.Sizes{Field: "size"}, Size: func(int64) int64 { return 3 }}
	for w, z := range map[*bytes.Buffer]*write.Sized{&plain: nil, &sized: sizes} {
		if err := copyRows(w, []*os.File{f}, dataform.Packing{Jobs: 1}, write.Selection{Keep: drops["none"], Sized: z}); err != nil {
			t.Fatal(err)
		}
	}
	lib, _ := pq.OpenFile(bytes.NewReader(plain.Bytes()), int64(plain.Len()))
	end := int64(0)
	for _, c := range lib.Metadata().RowGroups[0].Columns {
		end = max(end, max(c.MetaData.DataPageOffset, c.MetaData.DictionaryPageOffset)+1)
	}
	if !bytes.HasPrefix(sized.Bytes(), plain.Bytes()[:end]) {
		t.Error("pages differ from those that are copied without sizes")
	}
}
