package pages

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// A Recoder makes the pages of mixed pages, one at a time. It keeps what can be
// used again: pages come column by column.
type Recoder struct {
	keep func(int64) bool
	to   *Codec       // nil: the codec of the pages
	out  bytes.Buffer // the file that a page is written to
	w    *pq.GenericWriter[any]
	like likeness // what w was made for
	text []byte   // of values without parts of them

	splicer splicer
}

// A likeness is what the pages of a writer have in common.
type likeness struct {
	leaf  *leaf
	codec format.CompressionCodec
	kind  format.PageType
	size  int64 // bytes a page, at most
	dict  bool
}

// NewRecoder returns a recoder that keeps the rows for whose ordinal keep returns
// true, in a codec, or in that of the pages.
func NewRecoder(codec *Codec, keep func(ordinal int64) bool) *Recoder {
	return &Recoder{keep: keep, to: codec}
}

// Run makes the pages of a task, or its error.
func (r *Recoder) Run(t *Task) *Task {
	if !t.mixed() {
		return t
	}
	if t.made, t.fresh, t.err = r.recode(t); t.err != nil {
		t.err, r.w = fmt.Errorf("page at %d: %w", t.pages[0].at, t.err), nil
	}
	return t
}

// recode decodes the pages, and encodes the rows of them that are kept, in a file
// of one column.
func (r *Recoder) recode(t *Task) ([]byte, []page, error) {
	if p := &t.pages[0]; len(t.pages) == 1 && len(t.cuts) == 0 && t.chunk.plainTexts(p) {
		return r.splicer.splice(t.chunk, p, r.codec(t), func(row int64) bool { return r.keep(t.first + row) })
	}
	err := Guard(func() error { r.prepare(t); return nil })
	if err == nil {
		err = r.copyKept(t)
	}
	if err == nil {
		err = Guard(r.w.Flush)
	}
	if err != nil {
		return nil, nil, err
	}
	return dataPages(r.out.Bytes(), t.kept)
}

// codec returns what compresses the pages of a task.
func (r *Recoder) codec(t *Task) compress.Codec { return r.to.encodes(t.chunk.meta.Codec) }

// copyKept writes the values of the rows that are kept, without what is cut.
func (r *Recoder) copyKept(t *Task) error {
	n, cuts := int64(0), t.cuts
	err := t.values(func(values []pq.Value) (err error) {
		some := values[:0]
		r.text = r.text[:0]
		for _, v := range values {
			if len(cuts) > 0 && cuts[0].Ordinal == t.first+n {
				if r.text, v, err = without(r.text, v, cuts[0].Parts); err != nil {
					return err
				}
				cuts = cuts[1:]
			}
			if r.keep(t.first + n) {
				some = append(some, v)
			}
			n++
		}
		if !t.chunk.leaf.sound(some) {
			return ErrDamaged
		}
		return Guard(func() error {
			_, err := r.w.ColumnWriters()[0].WriteRowValues(some)
			return err
		})
	})
	if err == nil && n != t.rows {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// values calls fn with all values of the pages.
func (t *Task) values(fn func([]pq.Value) error) error {
	lib := t.chunk.decode(slices.DeleteFunc(slices.Clone(t.pages), func(p page) bool { return !p.data() }))
	defer Guard(lib.Close)
	for {
		page, err := readPage(lib)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = eachValue(page, page.NumValues(), fn)
		pq.Release(page)
		if err != nil {
			return err
		}
	}
}

// prepare makes w a writer to out for the pages of a task.
func (r *Recoder) prepare(t *Task) {
	r.out.Reset()
	last := t.pages[len(t.pages)-1]
	like := likeness{t.chunk.leaf, r.to.of(t.chunk.meta.Codec), last.kind, 1 << 18, len(t.pages) > 1}
	for like.size < last.plain && like.size < 1<<24 {
		like.size *= 2
	}
	if r.w != nil && r.like == like {
		r.w.Reset(&r.out)
		return
	}
	r.like, r.w = like, like.writer(&r.out, r.to)
}

// writer returns a writer, by the codec that is asked for if any is, of one column whose
// values have the type and the levels of those of the leaf.
func (l *likeness) writer(w io.Writer, to *Codec) *pq.GenericWriter[any] {
	var as encoding.Encoding = &pq.Plain
	if l.dict {
		as = &pq.RLEDictionary
	}
	node := pq.Encoded(pq.Leaf(l.leaf.column.Type()), as)
	for range l.leaf.def {
		node = pq.Optional(pq.Group{"v": node})
	}
	version := 1
	if l.kind == format.DataPageV2 {
		version = 2
	}
	by := to.encodes(l.codec)
	return pq.NewGenericWriter[any](w, pq.NewSchema("v", pq.Group{"v": node}), pq.DataPageVersion(version),
		pq.WriteBufferSize(0), pq.Compression(by), pq.PageBufferSize(int(l.size)))
}

// dataPages returns a copy of the pages that b, a file, begins with, up to those rows,
// and where in it each of them is.
func dataPages(b []byte, rows int64) (made []byte, pages []page, err error) {
	if rows == 0 { // of an empty page the library writes nothing, not even the magic
		return nil, nil, nil
	}
	b = b[len(Magic):]
	p := walker{r: bytes.NewReader(b), end: int64(len(b))}
	for rows > 0 {
		pg, err := p.next()
		if err != nil {
			return nil, nil, err
		}
		if pages = append(pages, pg); pg.data() {
			rows -= pg.values
		}
	}
	return bytes.Clone(b[:p.at]), pages, nil
}
