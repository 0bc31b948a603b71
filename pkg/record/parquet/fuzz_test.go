package parquet

import (
	"bytes"
	"encoding/binary"
	"os"
	"testing"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/record/parquet/pages"
)

// An anatomy is a file taken apart, so that it can be rebuilt with changes.
type anatomy struct {
	meta  format.FileMetaData
	pages []anatomyPage // the pages of all chunks, in order
}

type anatomyPage struct {
	chunk *format.ColumnMetaData
	head  format.PageHeader
	body  []byte
}

// dissect splits a valid file into its footer and its pages.
func dissect(t testing.TB, b []byte) *anatomy {
	t.Helper()
	a, n := new(anatomy), int(binary.LittleEndian.Uint32(b[len(b)-8:]))
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), b[len(b)-8-n:len(b)-8], &a.meta); err != nil {
		t.Fatal(err)
	}
	for i := range a.meta.RowGroups {
		for j := range a.meta.RowGroups[i].Columns {
			c := &a.meta.RowGroups[i].Columns[j]
			c.OffsetIndexOffset, c.ColumnIndexOffset, c.MetaData.BloomFilterOffset = 0, 0, 0
			a.chunk(t, b, &c.MetaData)
		}
	}
	return a
}

func (a *anatomy) chunk(t testing.TB, b []byte, m *format.ColumnMetaData) {
	t.Helper()
	at := m.DataPageOffset
	if m.DictionaryPageOffset > 0 {
		at = min(at, m.DictionaryPageOffset)
	}
	for rest := b[at : at+m.TotalCompressedSize]; len(rest) > 0; {
		p := anatomyPage{chunk: m}
		r := new(thrift.CompactProtocol).NewReaderFromBytes(bytes.Clone(rest))
		if err := thrift.NewDecoder(r).Decode(&p.head); err != nil {
			t.Fatal(err)
		}
		p.body = rest[r.BytesRead():][:p.head.CompressedPageSize]
		rest = rest[r.BytesRead()+len(p.body):]
		a.pages = append(a.pages, p)
	}
}

// build returns the content of the file. It corrects the offsets in the footer, and then passes the
// footer to the function change.
func (a *anatomy) build(change func(*format.FileMetaData)) []byte {
	b := []byte(pages.Magic)
	var last *format.ColumnMetaData
	for i := range a.pages {
		p := &a.pages[i]
		if p.chunk != last {
			last = p.chunk
			last.DictionaryPageOffset, last.DataPageOffset, last.TotalCompressedSize = 0, 0, 0
		}
		at := int64(len(b))
		if p.head.Type == format.DictionaryPage && last.DictionaryPageOffset == 0 {
			last.DictionaryPageOffset = at
		} else if last.DataPageOffset == 0 {
			last.DataPageOffset = at
		}
		head, _ := thrift.Marshal(new(thrift.CompactProtocol), &p.head)
		b = append(append(b, head...), p.body...)
		last.TotalCompressedSize += int64(len(b)) - at
	}
	change(&a.meta)
	foot, _ := thrift.Marshal(new(thrift.CompactProtocol), &a.meta)
	b = append(b, foot...)
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(foot))), pages.Magic...)
}

// change makes one change in the page: it sets a field of the header to a value derived from v,
// replaces the body with the given bytes, or overwrites a part of the body with them. The first
// argument selects the change.
func (p *anatomyPage) change(field uint8, v int64, with []byte) {
	h, n := &p.head, int32(v)
	v1, v2, dict := &h.DataPageHeader.V, &h.DataPageHeaderV2.V, &h.DictionaryPageHeader.V
	switch field % 18 {
	case 0:
		h.CompressedPageSize = n
	case 1:
		h.UncompressedPageSize = n
	case 2:
		v1.NumValues, v2.NumValues = n, n
	case 3:
		v1.Encoding, v2.Encoding = format.Encoding(n%10), format.Encoding(n%10)
	case 4:
		v2.NumNulls = n
	case 5:
		v2.NumRows = n
	case 6:
		v2.RepetitionLevelsByteLength = n
	case 7:
		v2.DefinitionLevelsByteLength = n
	case 8:
		dict.NumValues = n
	case 9:
		h.Type = format.PageType(n % 4)
	case 10:
		v1.DefinitionLevelEncoding = format.Encoding(n % 10)
	case 11:
		p.body = bytes.Clone(with)
		h.CompressedPageSize, h.UncompressedPageSize = int32(len(with)), int32(len(with))
	default: // the most frequent change
		p.body = bytes.Clone(p.body)
		if len(p.body) > 0 {
			copy(p.body[uint64(v)%uint64(len(p.body)):], with)
		}
		h.CRC = 0
	}
}

// changeMeta sets a field of the footer to a value derived from v. The arguments field and which
// select the field.
func changeMeta(m *format.FileMetaData, field uint8, which uint16, v int64) {
	g := &m.RowGroups[int(which)%len(m.RowGroups)]
	c := &g.Columns[int(which)%len(g.Columns)].MetaData
	e := &m.Schema[int(which)%len(m.Schema)]
	switch field % 16 {
	case 0:
		g.NumRows = v
	case 1:
		c.NumValues = v
	case 2:
		c.TotalCompressedSize = v
	case 3:
		c.TotalUncompressedSize = v
	case 4:
		c.DataPageOffset = v
	case 5:
		c.DictionaryPageOffset = v
	case 6:
		c.Codec = format.CompressionCodec(v % 8)
	case 7:
		c.Type, e.Type.V = format.Type(v%9), format.Type(v%9)
	case 8:
		e.Type.V, e.Type.Valid = format.Type(v%9), v&16 > 0
	case 9:
		e.NumChildren.V, e.NumChildren.Valid = int32(v), true
	case 10:
		e.RepetitionType.V, e.RepetitionType.Valid = format.FieldRepetitionType(v%4), true
	case 11:
		e.TypeLength.V, e.TypeLength.Valid = int32(v), true
	case 12:
		e.LogicalType = m.Schema[uint64(v)%uint64(len(m.Schema))].LogicalType
	case 13:
		e.ConvertedType.V, e.ConvertedType.Valid = m.Schema[uint64(v)%uint64(len(m.Schema))].ConvertedType.V, true
	case 14:
		c.Encoding = append(c.Encoding, format.Encoding(v%10))
	case 15:
		m.Schema = m.Schema[:uint64(v)%uint64(len(m.Schema)+1)]
	}
}

// fuzzFiles returns the files to change. Most are not compressed, so that changes affect levels and
// values directly.
func fuzzFiles(t testing.TB) (all [][]byte) {
	for _, name := range []string{"pyarrow-v1-none", "pyarrow-delta", "pyarrow-rle-v1", "pyarrow-groups", "duckdb-v2", "polars-lz4", "fastparquet-gzip", "pyarrow-v2-brotli", "pandas"} {
		b, err := os.ReadFile("testdata/peers/" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	for _, version := range []int{1, 2} {
		all = append(all, smallFile(t, pq.DataPageVersion(version), pq.Compression(&pq.Uncompressed)))
	}
	return append(all, smallFile(t, pq.Compression(&pq.Zstd)))
}

// FuzzFile checks that no reader panics, hangs or exceeds memoryBound if one page or one field of
// the footer is changed.
func FuzzFile(f *testing.F) {
	files := fuzzFiles(f)
	values := []int64{0, 1, -1, 7, 200, 1 << 20, 1<<31 - 1, 1 << 40, 1<<63 - 1, -1 << 63}
	for i := range files {
		for k := range 18 {
			f.Add(uint8(i), uint8(k%2), uint8(k/2), uint16(3*k), values[k%len(values)], []byte{0xff, 0xff, 0xff, byte(k)})
		}
	}
	f.Fuzz(func(t *testing.T, file, kind, field uint8, which uint16, v int64, with []byte) {
		a := dissect(t, files[int(file)%len(files)])
		if kind%2 == 0 && len(a.pages) > 0 {
			a.pages[int(which)%len(a.pages)].change(field, v, with)
		}
		b := a.build(func(m *format.FileMetaData) {
			if kind%2 == 1 && len(m.RowGroups) > 0 {
				changeMeta(m, field, which, v)
			}
		})
		in := asFile(t, b)
		if _ = runAllReadings(in); systemMemory() > memoryBound(int64(len(b))) { // errors are fine
			t.Errorf("%d bytes of memory for a file of %d", systemMemory(), len(b))
		}
	})
}
