package pages

import (
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// unmarshal decodes the structure that b begins with, and returns its size.
// The bytes are walked over first, since the library makes a list as long as its
// head says before it reads the first element; an element has a byte at least,
// so what is made is at most the largest element times len(b).
func unmarshal(b []byte, v any) (n int, err error) {
	s := skimmer{b: b}
	if err := s.fields(0); err != nil {
		return 0, err
	}
	r := new(thrift.CompactProtocol).NewReaderFromBytes(b[:s.at])
	err = Guard(func() error { return thrift.NewDecoder(r).Decode(v) })
	if err == nil && r.BytesRead() != s.at {
		err = ErrDamaged
	}
	return s.at, err
}

// header returns the header of the page.
func (p *page) header() ([]byte, error) {
	h := format.PageHeader{Type: p.kind, UncompressedPageSize: int32(p.plain), CompressedPageSize: int32(p.body), CRC: int32(p.crc)}
	switch p.kind {
	case format.DictionaryPage:
		h.DictionaryPageHeader = thrift.New(format.DictionaryPageHeader{NumValues: int32(p.values), Encoding: p.encoding})
	case format.DataPage:
		h.DataPageHeader = thrift.New(format.DataPageHeader{
			NumValues: int32(p.values), Encoding: p.encoding, RepetitionLevelEncoding: p.levels[0], DefinitionLevelEncoding: p.levels[1],
		})
	default:
		h.DataPageHeaderV2 = thrift.New(format.DataPageHeaderV2{
			NumValues: int32(p.values), NumNulls: int32(p.nulls), NumRows: int32(p.rows), Encoding: p.encoding,
			RepetitionLevelsByteLength: int32(p.sizes[0]), DefinitionLevelsByteLength: int32(p.sizes[1]),
		})
	}
	return thrift.Marshal(new(thrift.CompactProtocol), &h)
}
