package parquet

import (
	"bytes"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// lone returns a file of the pages of a task.
func (r *recoder) lone(t *task) (*pq.File, error) {
	b := append(r.file[:0], magic...)
	for _, p := range t.pages {
		at := len(b)
		b = slices.Grow(b, int(p.size()))[:at+int(p.size())]
		if err := readAt(t.chunk.file, b[at:], p.at); err != nil {
			return nil, err
		}
	}
	var err error
	if r.file, err = appendFooter(b, t.footer(len(b))); err != nil {
		return nil, err
	}
	return openAt(bytes.NewReader(r.file), int64(len(r.file)))
}

// footer returns that of a file of the pages, which end at an offset.
func (t *task) footer(end int) *format.FileMetaData {
	from := t.chunk.meta
	m := format.ColumnMetaData{
		Type: from.Type, Codec: from.Codec, PathInSchema: from.PathInSchema,
		Encoding: []format.Encoding{format.Plain}, NumValues: t.rows, DataPageOffset: int64(len(magic)),
		TotalCompressedSize: int64(end - len(magic)),
	}
	if t.pages[0].kind == format.DictionaryPage {
		m.DictionaryPageOffset = m.DataPageOffset
		m.DataPageOffset += t.pages[0].size()
	}
	for _, p := range t.pages {
		m.TotalUncompressedSize += p.head + p.plain
	}
	return &format.FileMetaData{
		Version: 1, Schema: t.chunk.leaf.path, NumRows: t.rows,
		RowGroups: []format.RowGroup{{Columns: []format.ColumnChunk{{MetaData: m}}, NumRows: t.rows}},
	}
}

// eachValues calls fn with the values of the only column, and counts them.
func eachValues(file *pq.File, fn func(first int64, values []pq.Value) error) (n int64, err error) {
	pages := file.RowGroups()[0].ColumnChunks()[0].Pages()
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		k, err := pageValues(page, func(first int64, values []pq.Value) error { return fn(n+first, values) })
		pq.Release(page)
		if n += k; err != nil {
			return n, err
		}
	}
}

func pageValues(page pq.Page, fn func(first int64, values []pq.Value) error) (n int64, err error) {
	values := page.Values()
	buf := make([]pq.Value, 256)
	for {
		k, err := values.ReadValues(buf)
		if k > 0 {
			if err := fn(n, buf[:k]); err != nil {
				return n, err
			}
		}
		n += int64(k)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}
