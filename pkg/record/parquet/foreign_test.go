package parquet

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/record/parquet/pages"
)

// foreignFiles returns the files in testdata/foreign, which scripts/foreign/write wrote with other
// programs, and the rows that each of them has.
func foreignFiles(t *testing.T) (names []string, rows [][]map[string]any) {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "testdata", "foreign")
	names, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
	if err != nil || len(names) == 0 {
		t.Fatal("no files", err)
	}
	for _, name := range names {
		stem := strings.TrimSuffix(name, ".parquet")
		lines, err := os.ReadFile(stem + ".jsonl")
		if err != nil { // the rows of several writers
			lines, err = os.ReadFile(filepath.Join(dir, stem[strings.LastIndexByte(stem, '-')+1:]+".jsonl"))
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, objects(t, lines))
	}
	return names, rows
}

// TestForeign checks that the rows of other writers are read, both whole and column by column from
// any row on, and that copies have the kept rows and the same schema and metadata.
func TestForeign(t *testing.T) {
	names, rows := foreignFiles(t)
	for i, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, f := rows[i], mustOpen(t, name)
			checkRows(t, want, got(t, f, drops["none"]))
			checkEach(t, f)
			checkDistinct(t, name, want)
			odd := func(i int64) bool { return i%2 == 1 }
			var kept []map[string]any
			for i := 1; i < len(want); i += 2 {
				kept = append(kept, want[i])
			}
			again := copySelected(t, f, odd)
			checkRows(t, kept, got(t, again, drops["none"]))
			schema, _ := schemaAndRows(t, f)
			if same, _ := schemaAndRows(t, again); !slices.Equal(schema, same) {
				t.Errorf("the schema of a copy is %q, want %q", same, schema)
			}
		})
	}
}

// checkRows reports the first row that differs.
func checkRows(t *testing.T, want, got []map[string]any) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	for i := range want {
		if d := cmp.Diff(want[i], got[i]); d != "" {
			t.Fatalf("row %d: %s", i, d)
		}
	}
}

// checkEach compares the rows from any row on with those of the whole group.
func checkEach(t *testing.T, f *os.File) {
	t.Helper()
	file, err := pages.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range file.Groups {
		var all []string
		read := func(first, n int64) (some []string) {
			err := g.Each(first, n, func(_ int64, row pq.Row) error {
				some = append(some, string(file.AppendRow(nil, row)))
				return nil
			})
			if err != nil {
				t.Fatalf("rows from %d: %v", first, err)
			}
			return some
		}
		all = read(0, g.Rows())
		for first := int64(1); first < g.Rows(); first++ {
			if n := min(3, g.Rows()-first); !slices.Equal(read(first, n), all[first:first+n]) {
				t.Fatalf("rows from %d differ from those of the group", first)
			}
		}
	}
}

// checkDistinct compares the number of distinct records with that of the rows.
func checkDistinct(t *testing.T, name string, rows []map[string]any) {
	t.Helper()
	want, got := map[string]bool{}, map[string]bool{}
	for _, row := range rows {
		want[fmt.Sprint(row)] = true
	}
	for _, text := range textsOf(t, record.Input{Names: []string{name}}) {
		got[text] = true
	}
	if got["an error"] || len(got) != len(want) {
		t.Errorf("%d distinct records, want %d", len(got), len(want))
	}
}

// TestForeignFooter checks that the schema and the metadata of a copy are those of the file, byte for
// byte, even if package format does not know them.
func TestForeignFooter(t *testing.T) {
	name := filepath.Join("..", "..", "..", "testdata", "foreign", "byhand-odd.parquet")
	for _, keep := range []string{"none", "random"} {
		again, err := os.ReadFile(copySelected(t, mustOpen(t, name), drops[keep]).Name())
		if err != nil {
			t.Fatal(err)
		}
		for what, want := range map[string]string{
			"the field number 0 and an unknown logical type": "\x55\x00\x1c\x0c\xc6\x01\x00\x00\x00",
			"a key without a value":                          "\x18\x04bare\x00",
			"a key with an empty value":                      "\x18\x01a\x18\x00\x00",
		} {
			if !bytes.Contains(again, []byte(want)) {
				t.Errorf("the copy lacks %s: %q", what, again)
			}
		}
	}
}

// TestForeignEncrypted checks that files without a plain footer and encrypted columns are named as
// such, and that the other columns of a file can be read.
func TestForeignEncrypted(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "testdata", "foreign")
	columns := record.Input{Names: []string{filepath.Join(dir, "encrypted-columns.pq")}}
	if _, texts, err := readTexts(t, record.Options{Fields: []string{"open"}}, columns); err != nil || !slices.Equal(texts, []string{"a", "b", "a"}) {
		t.Errorf("%q, %v", texts, err)
	}
	for name, fields := range map[string][]string{"columns": {"secret"}, "footer": {"open"}} {
		input := record.Input{Names: []string{filepath.Join(dir, "encrypted-"+name+".pq")}}
		_, texts, err := readTexts(t, record.Options{Fields: fields}, input)
		if !strings.Contains(fmt.Sprint(texts, err), "encrypted") {
			t.Errorf("%s: %q, %v", name, texts, err)
		}
	}
}
