package parquet

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
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
	dict  bool
}

// run makes the pages of a task. Parquet-go panics at some damaged pages.
func (r *recoder) run(t *task) *task {
	if t.mixed() {
		r.try(t)
	}
	return t
}

func (r *recoder) try(t *task) {
	defer func() {
		if p := recover(); p != nil {
			t.err, r.w = fmt.Errorf("%v", p), nil
		}
		if t.err != nil {
			t.err = fmt.Errorf("page at %d: %w", t.pages[0].at, t.err)
		}
	}()
	t.made, t.err = r.recode(t)
}

// recode decodes the pages, and encodes the rows of them that are kept. Both are
// done on files of one column.
func (r *recoder) recode(t *task) ([]byte, error) {
	file, err := r.lone(t)
	if err != nil {
		return nil, err
	}
	r.prepare(t, file)
	if err := r.copyKept(t, file); err != nil {
		r.w = nil
		return nil, err
	}
	return dataPages(r.out.Bytes(), t.kept)
}

// copyKept writes the values of the rows that are kept.
func (r *recoder) copyKept(t *task, file *pq.File) error {
	n, err := eachValues(file, func(first int64, values []pq.Value) error {
		some := values[:0]
		for i, v := range values {
			if r.keep(t.first + first + int64(i)) {
				some = append(some, v)
			}
		}
		if !sound(some, t.chunk.leaf) {
			return pq.ErrCorrupted
		}
		_, err := r.w.ColumnWriters()[0].WriteRowValues(some)
		return err
	})
	if err == nil && n != t.rows {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	return r.w.Flush()
}

// sound reports whether values are of the kind of their column, and there where
// they must be; those of a damaged page may be neither.
func sound(values []pq.Value, l *leaf) bool {
	return !slices.ContainsFunc(values, func(v pq.Value) bool {
		return v.IsNull() && l.def == 0 || !v.IsNull() && v.Kind() != l.kind
	})
}

// prepare makes w a writer to out for the pages of a task.
func (r *recoder) prepare(t *task, file *pq.File) {
	r.out.Reset()
	last := t.pages[len(t.pages)-1]
	like := likeness{t.chunk.leaf, t.chunk.meta.Codec, last.kind, 1 << 18, len(t.pages) > 1}
	for like.size < last.plain && like.size < 1<<24 {
		like.size *= 2
	}
	if r.w != nil && r.like == like {
		r.w.Reset(&r.out)
		return
	}
	column := file.Root()
	for !column.Leaf() {
		column = column.Columns()[0]
	}
	r.like, r.w = like, like.writer(&r.out, column)
}

// writer returns a writer of one column whose values have the type and the
// levels of those of another, and whose pages are alike.
func (l *likeness) writer(w io.Writer, column *pq.Column) *pq.GenericWriter[any] {
	var as encoding.Encoding = &pq.Plain
	if l.dict {
		as = &pq.RLEDictionary
	}
	node := pq.Encoded(pq.Leaf(column.Type()), as)
	for range column.MaxDefinitionLevel() {
		node = pq.Optional(pq.Group{"v": node})
	}
	version := 1
	if l.kind == format.DataPageV2 {
		version = 2
	}
	return pq.NewGenericWriter[any](w, pq.NewSchema("v", pq.Group{"v": node}), pq.DataPageVersion(version),
		pq.WriteBufferSize(0), pq.Compression(quickCodec(l.codec)), pq.PageBufferSize(int(l.size)))
}

// dataPages returns a copy of the pages that b, a file, begins with, up to
// those rows.
func dataPages(b []byte, rows int64) ([]byte, error) {
	p := walker{r: bytes.NewReader(b), at: int64(len(magic)), end: int64(len(b))}
	for rows > 0 {
		pg, err := p.next()
		if err != nil {
			return nil, err
		}
		rows -= pg.rows
	}
	return bytes.Clone(b[len(magic):p.at]), nil
}
