package pages

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// TestListsFromAnyRow checks that lists can be read from any row, in files of several writers, even
// if pages begin within a row.
func TestListsFromAnyRow(t *testing.T) {
	names, err := filepath.Glob("../testdata/peers/*.parquet")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, perPage := range []int{1, 2, 7, 100} {
		names = append(names, splitRows(t, perPage))
	}
	for _, name := range names {
		f := openNamed(t, name)
		for _, g := range f.Groups {
			for leaf, c := range g.chunks {
				if c.leaf.rep == 0 {
					continue
				}
				all := rowsOf(t, g, leaf, 0, g.Rows())
				if seekable, err := g.Look(leaf); err != nil || !seekable {
					t.Errorf("%s, column %d: rows are not found: %v", name, leaf, err)
				}
				for row := range g.Rows() {
					n := min(3, g.Rows()-row)
					if got := rowsOf(t, g, leaf, row, n); !slices.Equal(got, all[row:row+n]) {
						t.Fatalf("%s, column %d, row %d: %q, want %q", name, leaf, row, got, all[row:row+n])
					}
				}
			}
		}
	}
}

func openNamed(t *testing.T, name string) *File {
	t.Helper()
	in, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	f, err := Open(in)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// splitRows writes a file of lists without an offset index, with perPage values in each page, and
// returns the name of the file.
func splitRows(t *testing.T, perPage int) string {
	t.Helper()
	type row struct {
		Texts []string `parquet:"texts,list,plain"`
	}
	name := filepath.Join(t.TempDir(), "whole")
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := pq.NewGenericWriter[row](out, pq.DataPageVersion(1))
	for i := range 40 {
		var r row
		for k := range i * 7 % 11 {
			r.Texts = append(r.Texts, fmt.Sprint(i, ".", k))
		}
		if _, err := w.Write([]row{r}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := openNamed(t, name)
	c := f.Groups[0].chunks[0]
	if err := c.walkOnce(); err != nil || len(c.pages) != 1 {
		t.Fatal(len(c.pages), err)
	}
	p := c.pages[0]
	body, err := c.inflated(&p, nil)
	if err != nil {
		t.Fatal(err)
	}
	rep, def, values, err := p.splitLevels(body, c.leaf)
	if err != nil {
		t.Fatal(err)
	}
	levels := [2][]byte{}
	for i, of := range []struct {
		b    []byte
		most int
	}{{rep, c.leaf.rep}, {def, c.leaf.def}} {
		if levels[i], err = unpacked(of.b, bits.Len(uint(of.most)), int(p.values)); err != nil {
			t.Fatal(err)
		}
	}
	data, within := []byte(Magic), 0
	for from := 0; from < int(p.values); from += perPage {
		to := min(from+perPage, int(p.values))
		if levels[0][from] > 0 {
			within++
		}
		var b []byte
		for i, most := range []int{c.leaf.rep, c.leaf.def} {
			packed, err := (&rle.Encoding{BitWidth: bits.Len(uint(most))}).EncodeLevels(nil, levels[i][from:to])
			if err != nil {
				t.Fatal(err)
			}
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(packed))), packed...)
		}
		size := 0
		for _, level := range levels[1][from:to] {
			if int(level) == c.leaf.def {
				size += 4 + int(binary.LittleEndian.Uint32(values[size:]))
			}
		}
		b, values = append(b, values[:size]...), values[size:]
		head, err := (&page{kind: format.DataPage, plain: int64(len(b)), body: int64(len(b)), values: int64(to - from), encoding: format.Plain, levels: p.levels}).header()
		if err != nil {
			t.Fatal(err)
		}
		data = append(append(data, head...), b...)
	}
	if within == 0 {
		t.Fatalf("%d values a page: no page begins within a row", perPage)
	}
	column := &f.Meta.RowGroups[0].Columns[0]
	column.OffsetIndexOffset, column.OffsetIndexLength, column.ColumnIndexOffset, column.ColumnIndexLength = 0, 0, 0, 0
	column.MetaData.DataPageOffset = int64(len(Magic))
	column.MetaData.TotalCompressedSize = int64(len(data) - len(Magic))
	column.MetaData.TotalUncompressedSize = column.MetaData.TotalCompressedSize
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), f.Meta)
	if err != nil {
		t.Fatal(err)
	}
	data = append(binary.LittleEndian.AppendUint32(append(data, footer...), uint32(len(footer))), Magic...)
	name = filepath.Join(t.TempDir(), fmt.Sprint("split", perPage))
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// rowsOf returns n rows of a column as text, starting at the given row.
func rowsOf(t *testing.T, g *Group, leaf int, first, n int64) (rows []string) {
	t.Helper()
	err := g.Values(leaf, first, n, func(values []pq.Value) error {
		for _, v := range values {
			if v.RepetitionLevel() == 0 {
				rows = append(rows, "")
			}
			rows[len(rows)-1] += fmt.Sprintf("%+v ", v)
		}
		return nil
	})
	if err != nil || len(rows) != int(n) {
		t.Fatalf("column %d: %d rows from %d on: %v", leaf, len(rows), first, err)
	}
	return rows
}
