package parquet

import (
	"bytes"
	"hash/crc32"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// An output writes a file page by page.
type output struct {
	w       io.Writer
	n       int64 // bytes written
	meta    fileMeta
	group   *group               // the last, as it was read
	indexes []format.OffsetIndex // of all chunks
	buf     []byte
}

// newOutput begins a file like another.
func newOutput(w io.Writer, like *pq.File) (*output, error) {
	m := like.Metadata()
	o := &output{w: w, buf: make([]byte, 1<<18)}
	o.meta = fileMeta{Version: m.Version, Schema: m.Schema, KeyValueMetadata: m.KeyValueMetadata, CreatedBy: m.CreatedBy, ColumnOrders: m.ColumnOrders}
	return o, o.write([]byte(magic))
}

func (o *output) write(b []byte) error {
	n, err := o.w.Write(b)
	o.n += int64(n)
	return err
}

// add writes what a page became.
func (o *output) add(t *task) error {
	if t.err != nil {
		return t.chunk.fail(t.err)
	}
	if err := o.enter(t.chunk); err != nil {
		return err
	}
	if t.mixed() {
		return o.recoded(t.made)
	}
	return o.whole(t.chunk, &t.pages[0])
}

// enter makes the chunk, and its group, the last ones.
func (o *output) enter(c *chunk) error {
	if o.group != c.group {
		if len(o.meta.RowGroups) == pq.MaxRowGroups {
			return pq.ErrTooManyRowGroups
		}
		o.group = c.group
		o.meta.NumRows += c.group.kept
		o.meta.RowGroups = append(o.meta.RowGroups, groupMeta{
			NumRows: c.group.kept, SortingColumns: c.group.meta.SortingColumns, FileOffset: o.n, Ordinal: int16(len(o.meta.RowGroups)),
		})
	}
	g := o.last()
	if len(g.Columns) == c.index {
		g.Columns = append(g.Columns, newChunk(c))
		o.indexes = append(o.indexes, format.OffsetIndex{})
	}
	return nil
}

func (o *output) last() *groupMeta { return &o.meta.RowGroups[len(o.meta.RowGroups)-1] }

// count adds a page that is written next to the footer.
func (o *output) count(p *page) *columnMeta {
	g := o.last()
	c := &g.Columns[len(g.Columns)-1]
	c.addPage(&o.indexes[len(o.indexes)-1], p, o.n)
	g.TotalByteSize += p.head + p.plain
	g.TotalCompressedSize += p.size()
	return &c.MetaData
}

// whole copies a page, and checks its sum if it has one.
func (o *output) whole(c *chunk, p *page) error {
	o.count(p)
	sum := uint32(0)
	for done := int64(0); done < p.size(); {
		n := min(int64(len(o.buf)), p.size()-done)
		if done < p.head {
			n = min(n, p.head-done)
		}
		b := o.buf[:n]
		if err := readAt(c.file, b, p.at+done); err != nil {
			return c.fail(err)
		}
		if done >= p.head {
			sum = crc32.Update(sum, crc32.IEEETable, b)
		}
		if err := o.write(b); err != nil {
			return err
		}
		done += n
	}
	if p.crc != 0 && p.crc != sum {
		return c.fail(pq.ErrCorrupted)
	}
	return nil
}

// recoded writes new pages.
func (o *output) recoded(b []byte) error {
	p := walker{r: bytes.NewReader(b), end: int64(len(b))}
	for {
		pg, err := p.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		m := o.count(&pg)
		if as := pg.encoding; !slices.Contains(m.Encoding, as) {
			m.Encoding = append(slices.Clip(m.Encoding), as)
		}
		if err := o.write(b[pg.at:p.at]); err != nil {
			return err
		}
	}
}
