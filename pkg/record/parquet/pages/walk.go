package pages

import (
	"errors"
	"fmt"
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A page describes a page of a column chunk: its position in the file and the content of its
// header.
type page struct {
	kind  format.PageType
	at    int64 // offset of the header in the file
	head  int64 // size of the header in bytes
	body  int64 // size of the body as stored, in bytes
	plain int64 // size of the decompressed body in bytes
	crc   uint32

	values   int64 // number of values, including nulls
	encoding format.Encoding
	levels   [2]format.Encoding // encodings of the repetition and definition levels; used only for version 1

	// The following fields are used only for pages of version 2.
	rows   int64
	nulls  int64
	sizes  [2]int64 // sizes in bytes of the repetition and definition levels
	packed bool     // the values are compressed with the codec of the chunk
}

// isIndexed reports whether the values are indexes into the dictionary.
func (p *page) isIndexed() bool {
	//lint:ignore SA1019 older writers use PlainDictionary
	return p.encoding == format.PlainDictionary || p.encoding == format.RLEDictionary
}

func (p *page) size() int64 { return p.head + p.body }

func (p *page) data() bool { return p.kind == format.DataPage || p.kind == format.DataPageV2 }

// A walker reads the headers of the pages between two offsets.
type walker struct {
	r       io.ReaderAt
	at, end int64
	buf     []byte
}

// headBytes is the number of bytes that are read at first to parse a header. Most headers are 30 to
// 100 bytes long, but a header may contain the least and the greatest value of its page.
const headBytes = 512

// maxHead is the maximum size of a header. It is large because the least and the greatest value of
// the page, which are part of the header, may be long texts.
const maxHead = 1 << 26

// next returns the next page, or io.EOF after the last.
func (p *walker) next() (page, error) {
	if p.at >= p.end {
		return page{}, io.EOF
	}
	for n := int64(headBytes); ; n *= 8 {
		n = min(n, p.end-p.at)
		p.buf = slices.Grow(p.buf[:0], int(n))[:n]
		if err := readAt(p.r, p.buf, p.at); err != nil {
			return page{}, err
		}
		pg, err := parsePage(p.buf)
		if errors.Is(err, io.ErrUnexpectedEOF) && n < min(maxHead, p.end-p.at) {
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

// readAt fills b with the bytes at the given offset, or returns an error.
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

// parsePage parses the header at the start of b.
func parsePage(b []byte) (page, error) {
	var h format.PageHeader
	n, err := unmarshal(b, &h)
	if err != nil {
		return page{}, err
	}
	p := page{kind: h.Type, head: int64(n), body: int64(h.CompressedPageSize), plain: int64(h.UncompressedPageSize), crc: uint32(h.CRC)}
	switch v1, v2, dict := &h.DataPageHeader, &h.DataPageHeaderV2, &h.DictionaryPageHeader; {
	case h.Type == format.DataPage && v1.Valid:
		p.values, p.encoding = int64(v1.V.NumValues), v1.V.Encoding
		p.levels = [2]format.Encoding{v1.V.RepetitionLevelEncoding, v1.V.DefinitionLevelEncoding}
	case h.Type == format.DataPageV2 && v2.Valid:
		p.values, p.encoding = int64(v2.V.NumValues), v2.V.Encoding
		p.rows, p.nulls = int64(v2.V.NumRows), int64(v2.V.NumNulls)
		p.sizes = [2]int64{int64(v2.V.RepetitionLevelsByteLength), int64(v2.V.DefinitionLevelsByteLength)}
		p.packed = !v2.V.IsCompressed.Valid || v2.V.IsCompressed.V
	case h.Type == format.DictionaryPage && dict.Valid:
		p.values, p.encoding = int64(dict.V.NumValues), dict.V.Encoding
	case h.Type != format.IndexPage:
		return page{}, pq.ErrMissingPageHeader
	}

	levels := p.sizes[0] + p.sizes[1] // zero unless the version is 2
	switch {
	case min(p.sizes[0], p.sizes[1]) < 0, levels > min(p.body, p.plain), min(p.values, p.rows, p.nulls) < 0, p.nulls > p.values:
		return p, ErrDamaged
	// A page that repeats one value can claim any number of values, but each value takes memory
	// when decoded.
	case p.values > 1<<24+8*p.plain:
		return p, fmt.Errorf("%d values in %d bytes: %w", p.values, p.plain, ErrDamaged)
	}
	return p, nil
}
