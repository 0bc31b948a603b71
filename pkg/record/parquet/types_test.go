package parquet

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record/parquet/pages"
)

// TestTypes checks that row-by-row copies of files with lists keep the schema of the file,
// including types that parquet-go lacks, such as null and float16 in types.parquet, which pyarrow
// 26 wrote.
func TestTypes(t *testing.T) {
	names, err := filepath.Glob("testdata/peers/*.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "testdata/types.parquet") {
		f := mustOpen(t, name)
		schema, rows := schemaAndRows(t, f)
		for _, step := range []int{1, 3} {
			keep := func(i int64) bool { return i%int64(step) == 0 }
			var want []string
			for i, row := range rows {
				if keep(int64(i)) {
					want = append(want, row)
				}
			}
			again, got := schemaAndRows(t, copySelected(t, f, keep))
			if d := cmp.Diff(schema, again); d != "" || !slices.Equal(want, got) {
				t.Errorf("%s, one row of %d: %s\n%q, want\n%q", name, step, d, got, want)
			}
		}
	}
}

// schemaAndRows returns the schema in the footer of a file, and the bytes of all rows.
func schemaAndRows(t *testing.T, f *os.File) (schema, rows []string) {
	t.Helper()
	file, err := pages.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range file.Meta.Schema {
		schema = append(schema, fmt.Sprintf("%q %v %v %v %v %v %v", e.Name, e.Type, e.TypeLength, e.RepetitionType, e.NumChildren, e.ConvertedType, e.LogicalType.Value))
	}
	for _, g := range file.Groups {
		err := g.Each(0, g.Rows(), func(_ int64, row pq.Row) error {
			rows = append(rows, string(file.AppendRow(nil, row)))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return schema, rows
}
