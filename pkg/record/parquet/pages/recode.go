package pages

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// A Recoder makes new pages for tasks whose pages cannot be copied unchanged, one task at a time.
// It reuses its writer and memory for the next task, which usually has pages of the same column.
type Recoder struct {
	Keep func(ordinal int64) bool // reports whether the row with this ordinal is kept
	To   *Codec                   // if nil, pages keep their codec

	out  bytes.Buffer // the file to which w writes the new pages
	w    *pq.GenericWriter[any]
	like likeness // the form of the pages that w writes
	text []byte   // memory for values from which parts are removed
	some []pq.Value

	splicer splicer
}

// A likeness describes the pages that a writer writes. Tasks with equal likenesses can share a
// writer.
type likeness struct {
	leaf  *leaf
	codec format.CompressionCodec
	kind  format.PageType
	size  int64 // maximum size of a page in bytes
	dict  bool
}

// Run makes the new pages of a task, if it needs any, or sets the task's error. It returns t.
func (r *Recoder) Run(t *Task) *Task {
	if !t.needsRewrite() {
		return t
	}
	if t.text != nil {
		t.made, t.fresh, t.err = r.splicer.text(t, r.To.encoderFor(t.chunk.meta.Codec))
		return t
	}
	if t.added {
		t.made, t.fresh, t.err = r.splicer.sizes(t, r.To.encoderFor(t.chunk.meta.Codec))
		return t
	}
	p, l := &t.pages[0], t.chunk.leaf
	// plain means that the page has plain texts, at most one per row, and nothing after the last
	// text.
	plain := p.data() && p.encoding == format.Plain && l.kind == pq.ByteArray && l.rep == 0 && !t.chunk.group.file.hasPadding()
	if plain && len(t.pages) == 1 && len(t.cuts) == 0 && !t.out.repeated {
		by := r.To.encoderFor(t.chunk.meta.Codec)
		t.made, t.fresh, t.err = r.splicer.splice(t.chunk, p, by, func(row int64) bool { return r.Keep(t.first + row) })
	} else { // decode the pages, and encode the kept rows in a file of one column
		t.err = Guard(func() error { r.prepare(t); return nil })
		if t.err == nil {
			t.err = r.copyKept(t)
		}
		if t.err == nil {
			t.err = Guard(r.w.Flush)
		}
		if t.err == nil {
			t.made, t.fresh, t.err = dataPages(r.out.Bytes(), t.out.rows)
		}
	}
	if t.err != nil {
		t.err, r.w = fmt.Errorf("page at %d: %w", t.pages[0].at, t.err), nil
	}
	return t
}

// copyKept writes the values of the kept rows, without the cut parts.
func (r *Recoder) copyKept(t *Task) error {
	lib := t.chunk.decode(slices.DeleteFunc(slices.Clone(t.pages), func(p page) bool { return !p.data() }))
	defer Guard(lib.Close)
	n, cuts := int64(0), t.cuts
	_, err := eachValue(func() (pq.Page, error) { return readPage(lib) }, math.MaxInt64, func(values []pq.Value) (err error) {
		r.some, r.text = r.some[:0], r.text[:0]
		size := int64(0)
		write := func() error {
			if !t.chunk.leaf.sound(r.some) {
				return ErrDamaged
			}
			return Guard(func() error {
				_, err := r.w.ColumnWriters()[0].WriteRowValues(r.some)
				return err
			})
		}
		for _, v := range values {
			if len(cuts) > 0 && cuts[0].Ordinal == t.first+n {
				if r.text, v, err = without(r.text, v, cuts[0].Parts); err != nil {
					return err
				}
				cuts = cuts[1:]
			}
			if r.Keep(t.first + n) {
				for range t.sized.Repeated(t.first + n) {
					r.some = append(r.some, v)
					// The writer can end a page only between calls of WriteRowValues.
					if size += Size(v); t.out.repeated && size > r.like.size {
						if err := write(); err != nil {
							return err
						}
						r.some, size = r.some[:0], 0
					}
				}
			}
			n++
		}
		return write()
	})
	if err == nil && n != t.rows {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// Size returns the approximate number of bytes that a value takes in a page.
func Size(v pq.Value) int64 {
	if kind := v.Kind(); kind == pq.ByteArray || kind == pq.FixedLenByteArray {
		return 8 + int64(len(v.ByteArray()))
	}
	return 8
}

// prepare sets r.w to a writer for pages of the same form as those of the task. The writer writes
// to r.out.
func (r *Recoder) prepare(t *Task) {
	r.out.Reset()
	last := t.pages[len(t.pages)-1]
	like := likeness{t.chunk.leaf, r.To.codecFor(t.chunk.meta.Codec), last.kind, 1 << 18, len(t.pages) > 1}
	for like.size < last.plain && like.size < 1<<24 {
		like.size *= 2
	}
	if r.w != nil && r.like == like {
		r.w.Reset(&r.out)
		return
	}
	var as encoding.Encoding = &pq.Plain
	if like.dict {
		as = &pq.RLEDictionary
	}
	// The new file has one column, which has the type and the levels of the leaf.
	node := pq.Encoded(pq.Leaf(like.leaf.column.Type()), as)
	for range like.leaf.def {
		node = pq.Optional(pq.Group{"v": node})
	}
	version := 1
	if like.kind == format.DataPageV2 {
		version = 2
	}
	r.like = like
	r.w = pq.NewGenericWriter[any](&r.out, pq.NewSchema("v", pq.Group{"v": node}), pq.DataPageVersion(version),
		pq.WriteBufferSize(0), pq.Compression(r.To.encoderFor(like.codec)), pq.PageBufferSize(int(like.size)))
}

// The file b begins with pages that have the given total number of rows. dataPages returns a copy
// of these pages, and the header of each page with its position in the copy.
func dataPages(b []byte, rows int64) (made []byte, pages []page, err error) {
	if rows == 0 { // without rows, parquet-go writes nothing, not even Magic
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
