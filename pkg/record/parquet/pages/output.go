package pages

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/record/write"
)

// An Output writes a Parquet file page by page.
type Output struct {
	w       io.Writer
	like    *File // the model of the schema and the metadata
	n       int64 // bytes written
	meta    fileMeta
	codec   *Codec // codec of all pages; if nil, pages keep their codec
	cuts    *Cuts
	sized   *write.Sized         // if nil, no column of sizes is added
	group   *Group               // the input group of the last page
	chunk   *chunk               // the input chunk of the last page
	indexes []format.OffsetIndex // the offset indexes of all written chunks
	buf     []byte
}

// NewOutput starts a file with the schema and the metadata of an existing file. like may be the result
// of [File.WithTexts]. The last three arguments must be the same as in the [Tasks] that provide the
// tasks for Add.
func NewOutput(w io.Writer, like *File, codec *Codec, cuts *Cuts, sized *write.Sized) (*Output, error) {
	if sized.Adds() {
		like = like.Widened(sized.Field)
	}
	m := like.Meta
	o := &Output{w: w, like: like, codec: codec, cuts: cuts, sized: sized, buf: make([]byte, 1<<18)}
	o.meta = fileMeta{Version: m.Version, Schema: m.Schema, KeyValueMetadata: m.KeyValueMetadata, CreatedBy: m.CreatedBy, ColumnOrders: m.ColumnOrders}
	return o, o.write([]byte(Magic))
}

func (o *Output) write(b []byte) error {
	n, err := o.w.Write(b)
	o.n += int64(n)
	return err
}

// Add writes the pages of a task that [Recoder.Run] has finished.
func (o *Output) Add(t *Task) error {
	if t.err != nil {
		return t.fail(t.err)
	}
	if err := o.enter(t); err != nil {
		return err
	}
	if !t.needsRewrite() {
		return o.copyPage(t, &t.pages[0])
	}
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

// enter starts or continues the chunk of the task. If the chunk or its row group is not yet in the
// footer, enter adds it.
func (o *Output) enter(t *Task) error {
	c := t.chunk
	if o.group != c.group {
		if len(o.meta.RowGroups) == pq.MaxRowGroups {
			return pq.ErrTooManyRowGroups
		}
		o.group = c.group
		o.meta.NumRows += t.inGroup.rows
		o.meta.RowGroups = append(o.meta.RowGroups, groupMeta{
			NumRows: t.inGroup.rows, SortingColumns: o.sorting(c.group), FileOffset: o.n, Ordinal: int16(len(o.meta.RowGroups)),
		})
	}
	if o.chunk == c {
		return nil
	}
	o.chunk = c
	g := &o.meta.RowGroups[len(o.meta.RowGroups)-1]
	m := c.meta
	to := columnMeta{Type: m.Type, Encoding: m.Encoding, PathInSchema: m.PathInSchema, Codec: o.codec.codecFor(m.Codec)}
	if !t.inGroup.lost && !t.inGroup.repeated && !t.cut { // the values of the chunk are unchanged
		to.KeyValueMetadata, to.EncodingStats, to.SizeStatistics = m.KeyValueMetadata, m.EncodingStats, m.SizeStatistics
		if o.codec.differs(m.Codec) {
			to.EncodingStats = nil // the pages are made anew, and may have other encodings
		}
		if c.leaf.def == 0 || m.Statistics.NullCount > 0 { // a NullCount of 0 may mean that nulls were not counted
			to.Statistics = thrift.New(m.Statistics)
		}
	}
	g.Columns = append(g.Columns, chunkMeta{MetaData: to})
	o.indexes = append(o.indexes, format.OffsetIndex{})
	return nil
}

// sorting returns the columns by which the rows of a group are still sorted in the copy. The list
// ends before the first column that is omitted or from which values are cut.
func (o *Output) sorting(g *Group) []format.SortingColumn {
	var replaced []int
	if o.sized.Adds() {
		replaced = g.file.Replaced(o.sized.Field)
	}
	sorting := slices.Clone(g.Meta.SortingColumns)
	for i := range sorting {
		column := int(sorting[i].ColumnIdx)
		if o.cuts != nil && o.cuts.Leaf == column || slices.Contains(replaced, column) {
			return sorting[:i]
		}
		for _, r := range replaced {
			if r < column {
				sorting[i].ColumnIdx--
			}
		}
	}
	return sorting
}

// count adds a page at the current offset to the footer and to the offset index. The caller must
// write the page next.
func (o *Output) count(p *page) *columnMeta {
	g := &o.meta.RowGroups[len(o.meta.RowGroups)-1]
	m, index := &g.Columns[len(g.Columns)-1].MetaData, &o.indexes[len(o.indexes)-1]
	switch {
	case !p.data():
		m.DictionaryPageOffset = o.n
	case m.NumValues == 0:
		m.DataPageOffset = o.n
		fallthrough
	default:
		index.PageLocations = append(index.PageLocations, format.PageLocation{Offset: o.n, CompressedPageSize: int32(p.size()), FirstRowIndex: m.NumValues})
		m.NumValues += p.values
	}
	m.TotalUncompressedSize += p.head + p.plain
	m.TotalCompressedSize += p.size()
	g.TotalByteSize += p.head + p.plain
	g.TotalCompressedSize += p.size()
	return m
}

// AddRows adds a group of n rows to a file without columns.
func (o *Output) AddRows(n int64) {
	if n > 0 {
		o.meta.NumRows += n
		o.meta.RowGroups = append(o.meta.RowGroups, groupMeta{NumRows: n, Ordinal: int16(len(o.meta.RowGroups))})
	}
}

// copyPage copies a page unchanged. If the page has a checksum, copyPage verifies it.
func (o *Output) copyPage(t *Task, p *page) error {
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

// Close writes the offset indexes and the footer.
func (o *Output) Close() error {
	indexes := o.indexes
	for _, g := range o.meta.RowGroups {
		for i := range g.Columns {
			b, err := thrift.Marshal(new(thrift.CompactProtocol), &indexes[0])
			if err != nil {
				return err
			}
			c := &g.Columns[i]
			c.OffsetIndexOffset, c.OffsetIndexLength, indexes = o.n, int32(len(b)), indexes[1:]
			if err := o.write(b); err != nil {
				return err
			}
		}
	}
	b, err := appendFooter(nil, &o.meta, &o.like.raw)
	if err != nil {
		return err
	}
	return o.write(b)
}

// The following types describe a footer. They replace the types of package format, which cannot
// omit the statistics of a chunk: if the statistics are not set, package format writes that no
// value is null.

type fileMeta struct {
	Version          int32                              `thrift:"1,required"`
	Schema           thrift.Slice[format.SchemaElement] `thrift:"2,required"`
	NumRows          int64                              `thrift:"3,required"`
	RowGroups        thrift.Slice[groupMeta]            `thrift:"4,required"`
	KeyValueMetadata thrift.Slice[format.KeyValue]      `thrift:"5,optional"`
	CreatedBy        string                             `thrift:"6,optional"`
	ColumnOrders     thrift.Slice[format.ColumnOrder]   `thrift:"7,optional"`
}

type groupMeta struct {
	Columns             thrift.Slice[chunkMeta]            `thrift:"1,required"`
	TotalByteSize       int64                              `thrift:"2,required"`
	NumRows             int64                              `thrift:"3,required"`
	SortingColumns      thrift.Slice[format.SortingColumn] `thrift:"4,optional"`
	FileOffset          int64                              `thrift:"5,optional"`
	TotalCompressedSize int64                              `thrift:"6,optional"`
	Ordinal             int16                              `thrift:"7,optional,writezero"`
}

type chunkMeta struct {
	FileOffset        int64      `thrift:"2,required"`
	MetaData          columnMeta `thrift:"3,optional"`
	OffsetIndexOffset int64      `thrift:"4,optional"`
	OffsetIndexLength int32      `thrift:"5,optional"`
}

type columnMeta struct {
	Type                  format.Type                            `thrift:"1,required"`
	Encoding              thrift.Slice[format.Encoding]          `thrift:"2,required"`
	PathInSchema          thrift.Slice[string]                   `thrift:"3,required"`
	Codec                 format.CompressionCodec                `thrift:"4,required"`
	NumValues             int64                                  `thrift:"5,required"`
	TotalUncompressedSize int64                                  `thrift:"6,required"`
	TotalCompressedSize   int64                                  `thrift:"7,required"`
	KeyValueMetadata      thrift.Slice[format.KeyValue]          `thrift:"8,optional"`
	DataPageOffset        int64                                  `thrift:"9,required"`
	DictionaryPageOffset  int64                                  `thrift:"11,optional"`
	Statistics            thrift.Null[format.Statistics]         `thrift:"12,optional"`
	EncodingStats         thrift.Slice[format.PageEncodingStats] `thrift:"13,optional"`
	SizeStatistics        format.SizeStatistics                  `thrift:"16,optional"`
}

// appendFooter appends the end of a file: the metadata, the length of the metadata, and Magic.
// If raw is not nil, its elements replace those of the metadata.
func appendFooter(dst []byte, meta any, raw *rawFooter) ([]byte, error) {
	b, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
	if err == nil && raw != nil {
		b, err = raw.replaceIn(b)
	}
	if err != nil {
		return nil, err
	}
	dst = binary.LittleEndian.AppendUint32(append(dst, b...), uint32(len(b)))
	return append(dst, Magic...), nil
}
