package pages

import (
	"hash/crc32"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// An Output writes a file page by page.
type Output struct {
	w       io.Writer
	n       int64 // bytes written
	meta    fileMeta
	codec   *Codec // of all pages; nil: as they came
	cuts    *Cuts
	group   *Group               // the last, as it was read
	indexes []format.OffsetIndex // of all chunks
	buf     []byte
}

// NewOutput begins a file with the schema and the metadata of another,
// and with pages of a codec, or as they came, that are without cuts.
func NewOutput(w io.Writer, like *File, codec *Codec, cuts *Cuts) (*Output, error) {
	m := like.meta
	o := &Output{w: w, codec: codec, cuts: cuts, buf: make([]byte, 1<<18)}
	o.meta = fileMeta{Version: m.Version, Schema: m.Schema, KeyValueMetadata: m.KeyValueMetadata, CreatedBy: m.CreatedBy, ColumnOrders: m.ColumnOrders}
	return o, o.write([]byte(Magic))
}

func (o *Output) write(b []byte) error {
	n, err := o.w.Write(b)
	o.n += int64(n)
	return err
}

// Add writes what pages became.
func (o *Output) Add(t *Task) error {
	if t.err != nil {
		return t.fail(t.err)
	}
	if err := o.enter(t); err != nil {
		return err
	}
	if t.mixed() {
		return o.recoded(t)
	}
	return o.whole(t, &t.pages[0])
}

// enter makes the chunk, and its group, the last ones.
func (o *Output) enter(t *Task) error {
	c := t.chunk
	if o.group != c.group {
		if len(o.meta.RowGroups) == pq.MaxRowGroups {
			return pq.ErrTooManyRowGroups
		}
		o.group = c.group
		o.meta.NumRows += t.inGroup
		o.meta.RowGroups = append(o.meta.RowGroups, groupMeta{
			NumRows: t.inGroup, SortingColumns: o.sorting(c.group.meta.SortingColumns), FileOffset: o.n, Ordinal: int16(len(o.meta.RowGroups)),
		})
	}
	g := o.last()
	if len(g.Columns) == c.index {
		g.Columns = append(g.Columns, newChunk(c, t.inGroup == c.group.Rows() && !t.cut, o.codec))
		o.indexes = append(o.indexes, format.OffsetIndex{})
	}
	return nil
}

// sorting returns by which columns rows are still sorted: what is cut may end that.
func (o *Output) sorting(by []format.SortingColumn) []format.SortingColumn {
	for i, c := range by {
		if o.cuts.of(int(c.ColumnIdx)) {
			return by[:i]
		}
	}
	return by
}

func (o *Output) last() *groupMeta { return &o.meta.RowGroups[len(o.meta.RowGroups)-1] }

// count adds a page that is written next to the footer.
func (o *Output) count(p *page) *columnMeta {
	g := o.last()
	c := &g.Columns[len(g.Columns)-1]
	c.addPage(&o.indexes[len(o.indexes)-1], p, o.n)
	g.TotalByteSize += p.head + p.plain
	g.TotalCompressedSize += p.size()
	return &c.MetaData
}

// whole copies a page, and checks its sum if it has one.
func (o *Output) whole(t *Task, p *page) error {
	o.count(p)
	sum := uint32(0)
	for done := int64(0); done < p.size(); {
		n := min(int64(len(o.buf)), p.size()-done)
		if done < p.head {
			n = min(n, p.head-done)
		}
		b := o.buf[:n]
		if err := readAt(t.chunk.group.file.file, b, p.at+done); err != nil {
			return t.fail(err)
		}
		if done >= p.head && p.crc != 0 {
			sum = crc32.Update(sum, crc32.IEEETable, b)
		}
		if err := o.write(b); err != nil {
			return err
		}
		done += n
	}
	if p.crc != sum {
		return t.fail(ErrDamaged)
	}
	return nil
}

// recoded writes new pages.
func (o *Output) recoded(t *Task) error {
	for i := range t.fresh {
		p := &t.fresh[i]
		m := o.count(p)
		if !slices.Contains(m.Encoding, p.encoding) {
			m.Encoding = append(slices.Clip(m.Encoding), p.encoding)
		}
		if err := o.write(t.made[p.at:][:p.size()]); err != nil {
			return err
		}
	}
	return nil
}

// Close writes where the pages are, and the footer.
func (o *Output) Close() error {
	next := 0
	for _, g := range o.meta.RowGroups {
		for i := range g.Columns {
			if err := o.index(&g.Columns[i], &o.indexes[next]); err != nil {
				return err
			}
			next++
		}
	}
	b, err := appendFooter(nil, &o.meta)
	if err != nil {
		return err
	}
	return o.write(b)
}

// index writes where the pages of a chunk are.
func (o *Output) index(c *chunkMeta, index *format.OffsetIndex) error {
	b, err := thrift.Marshal(new(thrift.CompactProtocol), index)
	if err != nil {
		return err
	}
	c.OffsetIndexOffset, c.OffsetIndexLength = o.n, int32(len(b))
	return o.write(b)
}
