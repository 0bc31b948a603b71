// Package parquet lets the record tools read and write Parquet datasets.
//
// A dataset is read by column: of the row groups only the columns that hold
// the text and the id are read, in runs of rows that several goroutines decode
// at once. A run is a row group, or pages of a large one, found by the offset
// index of the file or by one that is made in memory.
//
// Import it for its effect: it registers the format.
package parquet

import (
	"errors"
	"fmt"
	"io"
	"os"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/record"
)

func init() {
	record.Register(&record.Format{Magic: magic, Open: open, Copy: copyRows, Lines: writeLines, Writer: newLineWriter})
}

// openFile reads the footer of a file.
func openFile(f *os.File) (*pq.File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	file, err := openAt(f, info.Size())
	if err != nil {
		return nil, err
	}
	return file, refuseLZ4(file)
}

// openAt reads the footer of a file of that many bytes.
func openAt(r io.ReaderAt, size int64) (*pq.File, error) {
	return pq.OpenFile(r, size, pq.SkipPageIndex(true), pq.SkipBloomFilters(true))
}

// refuseLZ4 returns an error for what parquet-go decodes to a buffer that it
// then leaves aside, so that values are those of some other page.
func refuseLZ4(file *pq.File) error {
	for _, g := range file.Metadata().RowGroups {
		for i := range g.Columns {
			if g.Columns[i].MetaData.Codec == format.Lz4Raw {
				return errors.New("columns compressed by LZ4 cannot be read")
			}
		}
	}
	return nil
}

// A column is a wanted leaf.
type column struct {
	field string
	index int // among the leaves
	kind  pq.Kind
}

// findColumn returns the leaf at a path. It must hold one value a row: a text,
// or, if scalars are allowed, a number or a boolean.
func findColumn(f *pq.File, field string, scalars bool) (column, error) {
	c := f.Root()
	for _, name := range record.SplitPath(field) {
		if c = c.Column(name); c == nil {
			return column{}, fmt.Errorf("no field %q", field)
		}
	}
	switch {
	case !c.Leaf() && c.MaxRepetitionLevel() == 0:
		return column{}, fmt.Errorf("field %q is an object, not a string", field)
	case c.MaxRepetitionLevel() > 0:
		return column{}, fmt.Errorf("field %q is an array, not a string", field)
	}
	kind := c.Type().Kind()
	if !scalars && kind != pq.ByteArray && kind != pq.FixedLenByteArray {
		what := "a number"
		if kind == pq.Boolean {
			what = "a boolean"
		}
		return column{}, fmt.Errorf("field %q is %s, not a string", field, what)
	}
	return column{field, c.Index(), kind}, nil
}
