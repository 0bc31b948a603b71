package pages

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// These are the types of a footer as package format has them, but for the
// statistics of a chunk: format cannot leave them out, and what it then writes
// says that no value is null.

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

// newChunk returns what is known of the copy of a chunk before its pages: that
// it is of the same column and, if it loses no row, what its values are.
func newChunk(c *chunk, whole bool, codec *Codec) chunkMeta {
	m := c.meta
	to := columnMeta{Type: m.Type, Encoding: m.Encoding, PathInSchema: m.PathInSchema, Codec: codec.of(m.Codec)}
	if whole {
		to.KeyValueMetadata, to.EncodingStats, to.SizeStatistics = m.KeyValueMetadata, m.EncodingStats, m.SizeStatistics
		if codec.differs(m.Codec) {
			to.EncodingStats = nil // pages are made anew
		}
		if c.leaf.def == 0 || m.Statistics.NullCount > 0 { // else it may be that nobody counted
			to.Statistics = thrift.New(m.Statistics)
		}
	}
	return chunkMeta{MetaData: to}
}

// addPage counts a page that is at an offset of the output.
func (c *chunkMeta) addPage(index *format.OffsetIndex, p *page, at int64) {
	m := &c.MetaData
	switch {
	case !p.data():
		m.DictionaryPageOffset = at
	case m.NumValues == 0:
		m.DataPageOffset = at
		fallthrough
	default:
		index.PageLocations = append(index.PageLocations, format.PageLocation{Offset: at, CompressedPageSize: int32(p.size()), FirstRowIndex: m.NumValues})
		m.NumValues += p.values
	}
	m.TotalUncompressedSize += p.head + p.plain
	m.TotalCompressedSize += p.size()
}

// appendFooter appends the end of a file: what is known of it, how long that is,
// and the magic.
func appendFooter(dst []byte, meta any) ([]byte, error) {
	b, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
	if err != nil {
		return nil, err
	}
	dst = binary.LittleEndian.AppendUint32(append(dst, b...), uint32(len(b)))
	return append(dst, Magic...), nil
}
