package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A recoder makes the pages of mixed pages, one at a time. It keeps what can be
// used again: pages come column by column.
type recoder struct {
	keep func(int64) bool
	file []byte       // the file that a page is read from
	out  bytes.Buffer // and the one it is written to
	w    *pq.GenericWriter[any]
	like likeness // what w was made for
}

// A likeness is what the pages of a writer have in common.
type likeness struct {
	leaf  *leaf
	codec format.CompressionCodec
	kind  format.PageType
	size  int64 // bytes a page, at most
}

// run makes the pages of a task. Parquet-go panics at some damaged pages.
func (r *recoder) run(t *task) *task {
	if !t.mixed {
		return t
	}
	defer func() {
		if p := recover(); p != nil {
			t.err, r.w = fmt.Errorf("%v", p), nil
		}
		if t.err != nil {
			t.err = fmt.Errorf("page at %d: %w", t.page.at, t.err)
		}
		t.dict = nil
	}()
	t.pages, t.err = r.recode(t)
	return t
}

// recode decodes the page, and encodes the rows of it that are kept. Both are
// done on files of one column.
func (r *recoder) recode(t *task) ([]byte, error) {
	file, err := r.lone(t)
	if err != nil {
		return nil, err
	}
	r.prepare(t)
	kept := int64(0)
	n, err := eachValues(file, func(first int64, values []pq.Value) error {
		some := values[:0]
		for i, v := range values {
			if r.keep(t.first + first + int64(i)) {
				some = append(some, v)
			}
		}
		kept += int64(len(some))
		_, err := r.w.ColumnWriters()[0].WriteRowValues(some)
		return err
	})
	if err == nil && n != t.page.rows {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		err = r.w.Flush()
	}
	if err != nil {
		r.w = nil
		return nil, err
	}
	return dataPages(r.out.Bytes(), kept)
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

// prepare makes w a writer to out of one column whose values have the type and
// the levels of those of the page, and whose pages have its version and codec.
func (r *recoder) prepare(t *task) {
	r.out.Reset()
	like := likeness{t.chunk.leaf, t.chunk.meta.Codec, t.page.kind, 1 << 18}
	for like.size < t.page.plain && like.size < 1<<24 {
		like.size *= 2
	}
	if r.w != nil && r.like == like {
		r.w.Reset(&r.out)
		return
	}
	node := pq.Encoded(pq.Leaf(like.leaf.typ), &pq.Plain)
	for range like.leaf.def {
		node = pq.Optional(pq.Group{"v": node})
	}
	version := 1
	if like.kind == format.DataPageV2 {
		version = 2
	}
	r.like = like
	r.w = pq.NewGenericWriter[any](&r.out, pq.NewSchema("v", pq.Group{"v": node}), pq.DataPageVersion(version),
		pq.WriteBufferSize(0), pq.Compression(quickCodec(like.codec)), pq.PageBufferSize(int(like.size)))
}

// dataPages returns a copy of the pages that b, a file, begins with, up to
// those rows.
func dataPages(b []byte, rows int64) ([]byte, error) {
	p := pages{r: bytes.NewReader(b), at: int64(len(magic)), end: int64(len(b))}
	for rows > 0 {
		pg, err := p.next()
		if err != nil {
			return nil, err
		}
		rows -= pg.rows
	}
	return bytes.Clone(b[len(magic):p.at]), nil
}
