package pages

import (
	"encoding/binary"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// unmarshal decodes the Thrift structure at the start of b into v, and returns its size. It walks
// over the bytes first, because parquet-go allocates all elements of a list before it reads the
// first one. The walk checks that all elements are present. Every element takes at least one byte,
// so parquet-go allocates at most len(b) elements.
func unmarshal(b []byte, v any) (n int, err error) {
	s := thriftScanner{b: b}
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

// The types of fields in the compact protocol of Thrift.
const (
	thriftStop = iota
	thriftTrue
	thriftFalse
	thriftByte
	thriftShort
	thriftInt
	thriftLong
	thriftDouble
	thriftBinary
	thriftList
	thriftSet
	thriftMap
	thriftStruct
)

// maxDepth limits the nesting of structures. The structures of Parquet have seven levels, but an
// unknown field may have any number of levels.
const maxDepth = 32

// A thriftScanner skips over a Thrift structure without decoding its values.
type thriftScanner struct {
	b  []byte
	at int
}

// fields skips the fields of a structure and the byte that marks its end.
func (s *thriftScanner) fields(depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("structures nested more than %d levels deep: %w", maxDepth, ErrDamaged)
	}
	for {
		head, err := s.byte()
		if err != nil || head == thriftStop {
			return err
		}
		if head>>4 == 0 { // the number of the field follows
			if _, err := s.varint(); err != nil {
				return err
			}
		}
		if kind := head & 15; kind > thriftFalse { // a boolean has no further bytes, because its type also states its value
			if err := s.value(kind, depth); err != nil {
				return err
			}
		}
	}
}

func (s *thriftScanner) value(kind byte, depth int) error {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return s.skip(1)
	case thriftShort, thriftInt, thriftLong:
		_, err := s.varint()
		return err
	case thriftDouble:
		return s.skip(8)
	case thriftBinary:
		n, err := s.varint()
		if err != nil {
			return err
		}
		return s.skip(n)
	case thriftList, thriftSet:
		head, err := s.byte()
		if err != nil {
			return err
		}
		n := uint64(head >> 4)
		if n == 15 {
			if n, err = s.varint(); err != nil {
				return err
			}
		}
		return s.elements(n, depth, head&15)
	case thriftMap:
		n, err := s.varint()
		if err != nil || n == 0 {
			return err
		}
		kinds, err := s.byte()
		if err != nil {
			return err
		}
		return s.elements(n, depth, kinds>>4, kinds&15)
	case thriftStruct:
		return s.fields(depth + 1)
	}
	return fmt.Errorf("unknown field type %d: %w", kind, ErrDamaged)
}

// elements skips n elements of a list, set or map. Each element has one value of each of the given
// kinds.
func (s *thriftScanner) elements(n uint64, depth int, kinds ...byte) error {
	if depth >= maxDepth {
		return ErrDamaged
	}
	if n > uint64(len(s.b)-s.at) {
		return io.ErrUnexpectedEOF
	}
	for range n {
		for _, kind := range kinds {
			if err := s.value(kind, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *thriftScanner) byte() (byte, error) {
	if s.at == len(s.b) {
		return 0, io.ErrUnexpectedEOF
	}
	s.at++
	return s.b[s.at-1], nil
}

func (s *thriftScanner) varint() (uint64, error) {
	v, n := binary.Uvarint(s.b[s.at:])
	switch {
	case n == 0:
		return 0, io.ErrUnexpectedEOF
	case n < 0:
		return 0, ErrDamaged
	}
	s.at += n
	return v, nil
}

func (s *thriftScanner) skip(n uint64) error {
	if n > uint64(len(s.b)-s.at) {
		return io.ErrUnexpectedEOF
	}
	s.at += int(n)
	return nil
}
