package parquet

import (
	"errors"
	"fmt"
	"io"
	"os"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A group is a row group that is copied.
type group struct {
	meta  *format.RowGroup
	first int64 // ordinal of its first row
	rows  int64
	kept  int64
}

// countKept returns how many of n rows are kept.
func countKept(keep func(int64) bool, first, n int64) (kept int64, err error) {
	if n < 0 {
		return 0, pq.ErrCorrupted
	}
	for i := range n {
		if keep(first + i) {
			kept++
		}
	}
	return kept, nil
}

// A chunk is the pages of one column in a group.
type chunk struct {
	file  *os.File
	group *group
	leaf  *leaf
	meta  *format.ColumnMetaData
	index int // of the column
	pages pages
	dict  page   // the page of the dictionary, if there was one
	bytes []byte // and all of it, once it is needed
	row   int64  // how many rows were passed
}

// chunks returns the chunks of a group of a file of the size given.
func (g *group) chunks(f *os.File, size int64, leaves []*leaf) (chunks []*chunk, err error) {
	if len(g.meta.Columns) != len(leaves) {
		return nil, pq.ErrCorrupted
	}
	for i := range g.meta.Columns {
		column := &g.meta.Columns[i]
		m := &column.MetaData
		if column.FilePath != "" || column.CryptoMetadata.Value != nil {
			return nil, errors.New("columns in other files, or encrypted, cannot be copied")
		}
		at := m.DataPageOffset
		if m.DictionaryPageOffset > 0 {
			at = min(at, m.DictionaryPageOffset)
		}
		if n := m.TotalCompressedSize; at < 0 || n < 0 || n > size-at {
			return nil, pq.ErrCorrupted
		}
		p := pages{r: f, at: at, end: at + m.TotalCompressedSize}
		chunks = append(chunks, &chunk{file: f, group: g, leaf: leaves[i], meta: m, index: i, pages: p})
	}
	return chunks, nil
}

func (c *chunk) fail(err error) error {
	return fmt.Errorf("%s: reading Parquet: column %q: %w", c.file.Name(), c.meta.PathInSchema, err)
}

// next returns the next page as a task, nil if it is not written, or io.EOF
// after the last row.
func (c *chunk) next(keep func(int64) bool) (*task, error) {
	if c.row == c.group.rows {
		return nil, io.EOF
	}
	p, err := c.pages.next()
	if err == io.EOF {
		return nil, io.ErrUnexpectedEOF // the footer promised more rows
	}
	if err != nil {
		return nil, err
	}
	switch {
	case p.kind == format.DictionaryPage && c.dict.size() > 0:
		return nil, pq.ErrCorrupted // a second one
	case p.kind == format.DictionaryPage:
		c.dict = p
		return &task{chunk: c, page: p}, nil
	case !p.data():
		return nil, nil
	}
	return c.dataPage(p, keep)
}

func (c *chunk) dataPage(p page, keep func(int64) bool) (*task, error) {
	if p.rows > c.group.rows-c.row {
		return nil, pq.ErrCorrupted
	}
	t := &task{chunk: c, page: p, first: c.group.first + c.row}
	c.row += p.rows
	kept, err := countKept(keep, t.first, p.rows)
	if kept == 0 {
		return nil, err
	}
	t.mixed = kept < p.rows
	switch {
	case t.mixed && p.runs:
		return nil, errRuns
	case t.mixed && p.index:
		t.dict, err = c.dictionary()
	}
	return t, err
}

// dictionary returns the dictionary page.
func (c *chunk) dictionary() ([]byte, error) {
	if c.bytes == nil {
		c.bytes = make([]byte, c.dict.size())
		return c.bytes, readAt(c.file, c.bytes, c.dict.at)
	}
	return c.bytes, nil
}
