package pages

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"sort"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A Group is a row group of a file.
type Group struct {
	file   *File
	Meta   *format.RowGroup // part of the footer; it must not be changed
	lib    pq.RowGroup
	chunks []*chunk
}

// Rows returns the number of rows.
func (g *Group) Rows() int64 { return g.Meta.NumRows }

// Bytes returns the decompressed size of a column as stated in the footer.
func (g *Group) Bytes(leaf int) int64 { return g.chunks[leaf].meta.TotalUncompressedSize }

// Unpacked returns a generous estimate of the number of bytes that a column adds to the text of
// whole rows. In a repeated column, each index into the dictionary counts as the dictionary's
// longest text. In other columns, texts in the dictionary do not count, because the caller learns
// their exact lengths when it divides the rows into runs.
func (g *Group) Unpacked(leaf int) int64 {
	c := g.chunks[leaf]
	if c.walkOnce() != nil {
		return 0
	}
	indexed, longest := int64(0), uint32(0)
	if c.leaf.kind == pq.ByteArray && c.leaf.rep > 0 && c.dict != nil {
		if d, err := c.dictionary(); err == nil {
			for i, end := range d.starts[1:] {
				longest = max(longest, end-d.starts[i]-4)
			}
		}
		for i := range c.pages {
			if c.pages[i].isIndexed() {
				indexed += c.pages[i].values
			}
		}
	}
	n := min(c.meta.NumValues, 1<<30) // the limit prevents overflow; the number of rows in a run is limited anyway
	return n*valueHead + max(c.meta.TotalUncompressedSize, n*int64(c.leaf.width)) + min(indexed, n)*int64(longest)
}

// valueHead is the approximate number of bytes that precede each value in the text of a whole row:
// its column, levels, kind and length.
const valueHead = 12

// PageAt finds the page of a column that contains the given row. It returns the first row of that
// page, and the row after its last row. If the page is not known, both results are the given row.
func (g *Group) PageAt(leaf int, row int64) (first, end int64) {
	c := g.chunks[leaf]
	if c.walkOnce() != nil || len(c.first) == 0 {
		return row, row
	}
	i := max(0, sort.Search(len(c.first), func(i int) bool { return c.first[i] > row })-1)
	if i+1 < len(c.first) {
		return c.first[i], c.first[i+1]
	}
	return c.first[i], g.Rows()
}

// Look reads the page headers of a column unless they have been read before. It reports whether
// every row of the column can be found without decoding the rows before it.
func (g *Group) Look(leaf int) (seekable bool, err error) {
	c := g.chunks[leaf]
	err = c.walkOnce()
	return len(c.first) > 0 || len(c.pages) == 0, err
}

// Values calls fn with the values of n rows of a column, starting at the given row. The values are
// valid until fn returns.
func (g *Group) Values(leaf int, first, n int64, fn func([]pq.Value) error) error {
	r := &reader{chunk: g.chunks[leaf]}
	defer r.Close()
	if err := r.SeekToRow(first); err != nil {
		return err
	}
	column := r.chunk.leaf
	if column.rep == 0 {
		done, err := eachValue(r.ReadPage, n, fn)
		if err == nil && done < n {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	rows := int64(0)
	_, err := eachValue(r.ReadPage, math.MaxInt64, func(values []pq.Value) error {
		for i, v := range values {
			if v.RepetitionLevel() > 0 {
				continue
			}
			if rows == n {
				return cmp.Or(fn(values[:i]), io.EOF)
			}
			rows++
		}
		if rows == 0 || !column.sound(values) {
			return r.chunk.fail(ErrDamaged)
		}
		return fn(values)
	})
	if err == io.EOF {
		return nil
	}
	if err == nil && rows < n {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Each calls fn for each of n consecutive rows of the group. first is the index of the first of
// them in the group, and i is 0 for that row. Damaged rows cause an error. A row is valid until fn
// returns.
func (g *Group) Each(first, n int64, fn func(i int64, row pq.Row) error) error {
	for _, c := range g.chunks {
		if err := c.walkOnce(); err != nil {
			return err
		}
	}
	var rows pq.Rows
	err := Guard(func() error {
		rows = pq.NewRowGroupRowReader(rowGroup{g.lib, g})
		return rows.SeekToRow(first)
	})
	if err != nil {
		return err
	}
	defer Guard(rows.Close)
	if len(g.chunks) == 0 { // parquet-go reads no rows without columns
		for i := range n {
			if err := fn(i, nil); err != nil {
				return err
			}
		}
		return nil
	}
	buf := make([]pq.Row, 64)
	for done := int64(0); done < n; {
		k := 0
		err := Guard(func() (err error) {
			k, err = rows.ReadRows(buf[:min(int64(len(buf)), n-done)])
			return err
		})
		if err != nil && err != io.EOF {
			return err
		}
		if err == io.EOF && done+int64(k) < n || k == 0 {
			return io.ErrUnexpectedEOF
		}
		for _, row := range buf[:k] {
			if !g.sound(row) {
				return fmt.Errorf("row %d: %w", first+done, ErrDamaged)
			}
			if err := fn(done, row); err != nil {
				return err
			}
			done++
		}
	}
	return nil
}

// sound reports whether a row has values for all columns, in column order, and leaf.sound accepts
// all of them. In a damaged file, columns may be missing from a row.
func (g *Group) sound(row pq.Row) bool {
	for i, leaf := range g.file.leaves {
		n := 0
		for n < len(row) && row[n].Column() == i {
			n++
		}
		if n == 0 || row[0].RepetitionLevel() != 0 || !leaf.sound(row[:n]) {
			return false
		}
		row = row[n:]
	}
	return len(row) == 0
}

// A rowGroup is a row group of parquet-go whose pages come from a Group.
type rowGroup struct {
	pq.RowGroup
	group *Group
}

func (g rowGroup) ColumnChunks() (all []pq.ColumnChunk) {
	for i, c := range g.RowGroup.ColumnChunks() {
		all = append(all, columnChunk{c, g.group.chunks[i]})
	}
	return all
}

type columnChunk struct {
	pq.ColumnChunk
	chunk *chunk
}

func (c columnChunk) Pages() pq.Pages { return &reader{chunk: c.chunk} }
