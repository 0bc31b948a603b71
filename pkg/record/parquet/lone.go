package parquet

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const magic = "PAR1"

// lone returns a file of the page, and of its dictionary if it needs one.
func (r *recoder) lone(t *task) (*pq.File, error) {
	b := append(append(r.file[:0], magic...), t.dict...)
	at := len(b)
	b = slices.Grow(b, int(t.page.size()))[:at+int(t.page.size())]
	if err := readAt(t.chunk.file, b[at:], t.page.at); err != nil {
		return nil, err
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), t.footer(at))
	if err != nil {
		return nil, err
	}
	b = binary.LittleEndian.AppendUint32(append(b, footer...), uint32(len(footer)))
	r.file = append(b, magic...)
	return pq.OpenFile(bytes.NewReader(r.file), int64(len(r.file)), pq.SkipPageIndex(true), pq.SkipBloomFilters(true))
}

// footer returns that of a file of the page, which is at an offset, and of its
// dictionary, which is before it.
func (t *task) footer(at int) *format.FileMetaData {
	from, rows := t.chunk.meta, t.page.rows
	m := format.ColumnMetaData{
		Type: from.Type, Codec: from.Codec, PathInSchema: from.PathInSchema,
		Encoding: []format.Encoding{format.Plain}, NumValues: rows, DataPageOffset: int64(at),
		TotalCompressedSize: int64(len(t.dict)) + t.page.size(), TotalUncompressedSize: t.page.plain,
	}
	if len(t.dict) > 0 {
		m.DictionaryPageOffset = int64(len(magic))
	}
	return &format.FileMetaData{
		Version: 1, Schema: t.chunk.leaf.path, NumRows: rows,
		RowGroups: []format.RowGroup{{Columns: []format.ColumnChunk{{MetaData: m}}, NumRows: rows}},
	}
}

// eachValues calls fn with the values of the only column, and counts them.
func eachValues(file *pq.File, fn func(first int64, values []pq.Value) error) (n int64, err error) {
	pages := file.RowGroups()[0].ColumnChunks()[0].Pages()
	defer pages.Close()
	page, err := pages.ReadPage()
	if err != nil {
		return 0, err
	}
	defer pq.Release(page)
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
