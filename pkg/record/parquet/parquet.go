// Package parquet lets the record tools read and write Parquet datasets.
//
// A dataset is read by column: of the row groups only the columns that hold
// the text and the id are read, in runs of rows that several goroutines decode
// at once. A run is a row group, or pages of one where the file has an offset
// index; the rows of a larger group without one are read by the reader itself.
//
// Import it for its effect: it registers the format.
package parquet

import (
	"fmt"
	"os"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
)

func init() {
	record.Register(&record.Format{Magic: "PAR1", Open: open, Copy: copyRows, Lines: writeLines, Writer: newLineWriter})
}

// openFile reads the footer of a file.
func openFile(f *os.File) (*pq.File, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return pq.OpenFile(f, info.Size(), pq.SkipPageIndex(true), pq.SkipBloomFilters(true))
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
