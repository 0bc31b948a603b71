package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// run makes the pages of a mixed page. Parquet-go panics at some damaged pages.
func (t *task) run(keep func(int64) bool) {
	if !t.mixed {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			t.err = fmt.Errorf("page at %d: %v", t.page.at, r)
		}
		t.dict = nil
	}()
	if t.pages, t.err = t.recode(keep); t.err != nil {
		t.err = fmt.Errorf("page at %d: %w", t.page.at, t.err)
	}
}

// recode decodes the page, and encodes the rows of it that are kept. Both are
// done on files of one column.
func (t *task) recode(keep func(int64) bool) ([]byte, error) {
	file, err := t.lone()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := t.writer(&out)
	kept := int64(0)
	n, err := eachValues(file, func(first int64, values []pq.Value) error {
		some := values[:0]
		for i, v := range values {
			if keep(t.first + first + int64(i)) {
				some = append(some, v)
			}
		}
		kept += int64(len(some))
		_, err := w.ColumnWriters()[0].WriteRowValues(some)
		return err
	})
	if err == nil && n != t.page.rows {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return nil, err
	}
	return dataPages(out.Bytes(), kept)
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

const magic = "PAR1"

// lone returns a file of the page, and of its dictionary if it needs one.
func (t *task) lone() (*pq.File, error) {
	at := len(magic) + len(t.dict)
	b := make([]byte, at+int(t.page.size()))
	copy(b, magic)
	copy(b[len(magic):], t.dict)
	if err := readAt(t.chunk.file, b[at:], t.page.at); err != nil {
		return nil, err
	}
	m := format.ColumnMetaData{
		Type: t.chunk.meta.Type, Codec: t.chunk.meta.Codec, PathInSchema: t.chunk.meta.PathInSchema,
		Encoding: []format.Encoding{format.Plain}, NumValues: t.page.rows, DataPageOffset: int64(at),
		TotalCompressedSize: int64(len(b) - len(magic)), TotalUncompressedSize: t.page.plain,
	}
	if len(t.dict) > 0 {
		m.DictionaryPageOffset = int64(len(magic))
	}
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &format.FileMetaData{
		Version: 1, Schema: t.chunk.leaf.path, NumRows: t.page.rows,
		RowGroups: []format.RowGroup{{Columns: []format.ColumnChunk{{MetaData: m}}, NumRows: t.page.rows}},
	})
	if err != nil {
		return nil, err
	}
	b = binary.LittleEndian.AppendUint32(append(b, footer...), uint32(len(footer)))
	b = append(b, magic...)
	return pq.OpenFile(bytes.NewReader(b), int64(len(b)), pq.SkipPageIndex(true), pq.SkipBloomFilters(true))
}

// writer returns a writer of one column whose values have the type and the
// levels of those of the page, and whose pages have its version.
func (t *task) writer(w io.Writer) *pq.GenericWriter[any] {
	node := pq.Encoded(pq.Leaf(t.chunk.leaf.typ), &pq.Plain)
	for range t.chunk.leaf.def {
		node = pq.Optional(pq.Group{"v": node})
	}
	version := 1
	if t.page.kind == format.DataPageV2 {
		version = 2
	}
	return pq.NewGenericWriter[any](w, pq.NewSchema("v", pq.Group{"v": node}), pq.DataPageVersion(version), pq.WriteBufferSize(0),
		pq.Compression(pq.LookupCompressionCodec(t.chunk.meta.Codec)), pq.PageBufferSize(int(min(max(t.page.plain, 1<<18), 1<<24))))
}

// dataPages returns the pages that b, a file, begins with, up to those rows.
func dataPages(b []byte, rows int64) ([]byte, error) {
	p := pages{r: bytes.NewReader(b), at: int64(len(magic)), end: int64(len(b))}
	for rows > 0 {
		pg, err := p.next()
		if err != nil {
			return nil, err
		}
		rows -= pg.rows
	}
	return b[len(magic):p.at], nil
}
