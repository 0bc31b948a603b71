package parquet

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

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
	pages walker
	row   int64   // how many rows were passed
	todo  []*task // what is made of the pages, once they are known
	known bool
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
		p := walker{r: f, at: at, end: at + m.TotalCompressedSize}
		chunks = append(chunks, &chunk{file: f, group: g, leaf: leaves[i], meta: m, index: i, pages: p})
	}
	return chunks, nil
}

func (c *chunk) fail(err error) error {
	return fmt.Errorf("%s: reading Parquet: column %q: %w", c.file.Name(), c.meta.PathInSchema, err)
}

// next returns the next task, or io.EOF after the last.
func (c *chunk) next(keep func(int64) bool) (*task, error) {
	if !c.known {
		if err := c.plan(keep); err != nil {
			return nil, err
		}
		c.known = true
	}
	if len(c.todo) == 0 {
		return nil, io.EOF
	}
	t := c.todo[0]
	c.todo[0], c.todo = nil, c.todo[1:] // for it comes to hold what was made
	return t, nil
}

// plan looks at all pages, and makes the tasks. The pages up to the last that
// needs the dictionary are one task if any of them loses a row.
func (c *chunk) plan(keep func(int64) bool) error {
	dict, all, err := c.look(keep)
	if err != nil {
		return err
	}
	n, loses := 0, false
	for i, t := range all {
		if t.pages[0].index() {
			n = i + 1
		}
	}
	for _, t := range all[:n] {
		loses = loses || t.kept < t.rows
	}
	switch {
	case loses && dict == nil:
		return pq.ErrCorrupted // indexes of nothing
	case loses:
		c.todo = append(c.todo, joined(dict, all[:n]))
	case n > 0 && dict != nil:
		c.todo = append(c.todo, &task{chunk: c, pages: []page{*dict}})
		fallthrough
	default:
		c.todo = append(c.todo, all[:n]...)
	}
	c.todo = append(c.todo, all[n:]...)
	c.todo = slices.DeleteFunc(c.todo, func(t *task) bool { return t.rows > 0 && t.kept == 0 })
	return nil
}

// look returns the page of the dictionary, if there is one, and a task for each
// data page.
func (c *chunk) look(keep func(int64) bool) (dict *page, all []*task, err error) {
	for c.row < c.group.rows {
		p, err := c.pages.next()
		switch {
		case err == io.EOF:
			return nil, nil, io.ErrUnexpectedEOF // the footer promised more rows
		case err != nil:
			return nil, nil, err
		case p.kind == format.DictionaryPage && dict != nil:
			return nil, nil, pq.ErrCorrupted // a second one
		case p.kind == format.DictionaryPage:
			dict = &p
		case p.data():
			t, err := c.task(p, keep)
			if err != nil {
				return nil, nil, err
			}
			all = append(all, t)
		}
	}
	return dict, all, nil
}

// task returns the task of a data page.
func (c *chunk) task(p page, keep func(int64) bool) (*task, error) {
	if p.rows > c.group.rows-c.row {
		return nil, pq.ErrCorrupted
	}
	t := &task{chunk: c, pages: []page{p}, first: c.group.first + c.row, rows: p.rows}
	c.row += p.rows
	var err error
	if t.kept, err = countKept(keep, t.first, p.rows); err == nil && t.mixed() && p.runs() {
		err = errRuns
	}
	return t, err
}

// joined returns the task of pages of a chunk that need its dictionary.
func joined(dict *page, all []*task) *task {
	t := &task{chunk: all[0].chunk, pages: []page{*dict}, first: all[0].first}
	for _, one := range all {
		t.pages = append(t.pages, one.pages...)
		t.rows += one.rows
		t.kept += one.kept
	}
	return t
}
