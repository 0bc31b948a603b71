package parquet

import (
	"errors"
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A page is where a page of a column chunk lies, and what its header says.
type page struct {
	kind  format.PageType
	at    int64 // where its header begins
	head  int64 // bytes of the header
	body  int64 // bytes after it
	plain int64 // bytes of the body once decompressed
	rows  int64 // of a data page of a column that is not repeated
	crc   uint32

	encoding format.Encoding // of its values
}

// index reports whether the values are indexes of the dictionary.
func (p *page) index() bool {
	//lint:ignore SA1019 older writers name it so
	return p.encoding == format.PlainDictionary || p.encoding == format.RLEDictionary
}

// runs reports whether the values are booleans in runs.
func (p *page) runs() bool { return p.data() && p.encoding == format.RLE }

func (p *page) size() int64 { return p.head + p.body }

func (p *page) data() bool { return p.kind == format.DataPage || p.kind == format.DataPageV2 }

// location returns what an offset index says of the page, if it is at an offset
// and begins with a row of the group.
func (p *page) location(at, row int64) format.PageLocation {
	return format.PageLocation{Offset: at, CompressedPageSize: int32(p.size()), FirstRowIndex: row}
}

// A walker walks over the pages between two offsets, by their headers.
type walker struct {
	r       io.ReaderAt
	at, end int64
	buf     []byte
}

// headBytes is how much is read at first to have a header: most are of 30 to
// 100 bytes, but they may hold two values, the bounds of the page.
const headBytes = 512

// next returns the next page, or io.EOF after the last.
func (p *walker) next() (page, error) {
	if p.at >= p.end {
		return page{}, io.EOF
	}
	for n := int64(headBytes); ; n *= 8 {
		n = min(n, p.end-p.at)
		b, err := p.peek(n)
		if err != nil {
			return page{}, err
		}
		pg, err := parsePage(b)
		if errors.Is(err, io.ErrUnexpectedEOF) && n < p.end-p.at {
			continue
		}
		if err != nil {
			return page{}, fmt.Errorf("page header at %d: %w", p.at, err)
		}
		pg.at = p.at
		if p.at += pg.size(); p.at > p.end {
			return page{}, fmt.Errorf("page at %d: %w", pg.at, io.ErrUnexpectedEOF)
		}
		return pg, nil
	}
}

// peek returns the n bytes at the position. They are valid until the next call.
func (p *walker) peek(n int64) ([]byte, error) {
	if int64(cap(p.buf)) < n {
		p.buf = make([]byte, n)
	}
	b := p.buf[:n]
	return b, readAt(p.r, b, p.at)
}

// readAt fills b.
func readAt(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// parsePage reads the header that b begins with.
func parsePage(b []byte) (page, error) {
	var h format.PageHeader
	r := new(thrift.CompactProtocol).NewReaderFromBytes(b)
	if err := thrift.NewDecoder(r).Decode(&h); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return page{}, err
	}
	p := page{
		kind: h.Type, head: int64(r.BytesRead()), body: int64(h.CompressedPageSize),
		plain: int64(h.UncompressedPageSize), crc: uint32(h.CRC),
	}
	switch v1, v2 := &h.DataPageHeader, &h.DataPageHeaderV2; {
	case h.Type == format.DataPage && v1.Valid:
		p.rows, p.encoding = int64(v1.V.NumValues), v1.V.Encoding
	case h.Type == format.DataPageV2 && v2.Valid:
		p.rows, p.encoding = int64(v2.V.NumValues), v2.V.Encoding
	case p.data():
		return page{}, pq.ErrMissingPageHeader
	}
	if p.body < 0 || p.plain < 0 || p.rows < 0 {
		return page{}, pq.ErrCorrupted
	}
	return p, nil
}
