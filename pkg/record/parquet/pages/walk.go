package pages

import (
	"errors"
	"fmt"
	"io"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A page is where a page of a column chunk lies, and what its header says.
type page struct {
	kind  format.PageType
	at    int64 // where its header begins
	head  int64 // bytes of the header
	body  int64 // bytes after it
	plain int64 // bytes of the body once decompressed
	crc   uint32

	values   int64 // with nulls
	encoding format.Encoding
	levels   [2]format.Encoding // of repetition and definition, in version 1

	// Of version 2:
	rows   int64
	nulls  int64
	sizes  [2]int64 // of repetition and definition levels
	packed bool     // the values are compressed, if the chunk is
}

// index reports whether the values are indexes of the dictionary.
func (p *page) index() bool {
	//lint:ignore SA1019 older writers name it so
	return p.encoding == format.PlainDictionary || p.encoding == format.RLEDictionary
}

func (p *page) size() int64 { return p.head + p.body }

func (p *page) data() bool { return p.kind == format.DataPage || p.kind == format.DataPageV2 }

// A walker walks over the pages between two offsets, by their headers.
type walker struct {
	r       io.ReaderAt
	at, end int64
	buf     []byte
}

// headBytes is how much is read at first to have a header: most are of 30 to
// 100 bytes, but they may hold two values, the bounds of the page.
const headBytes = 512

// maxHead is how much a header may have: its bounds are as long as texts are.
const maxHead = 1 << 26

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
		p.second(&v2.V)
	case h.Type == format.DictionaryPage && dict.Valid:
		p.values, p.encoding = int64(dict.V.NumValues), dict.V.Encoding
	case h.Type != format.IndexPage:
		return page{}, pq.ErrMissingPageHeader
	}
	return p, p.check()
}

// second sets what a header of version 2 says.
func (p *page) second(h *format.DataPageHeaderV2) {
	p.values, p.encoding = int64(h.NumValues), h.Encoding
	p.rows, p.nulls = int64(h.NumRows), int64(h.NumNulls)
	p.sizes = [2]int64{int64(h.RepetitionLevelsByteLength), int64(h.DefinitionLevelsByteLength)}
	p.packed = !h.IsCompressed.Valid || h.IsCompressed.V
}

// maxValues returns how many values a page of that many bytes may have. Of
// one value throughout there may be any number, but each takes memory.
func maxValues(bytes int64) int64 { return 1<<24 + 8*bytes }

func (p *page) check() error {
	rest := p.body // of version 2, without the levels
	for _, n := range p.sizes {
		if n < 0 {
			return ErrDamaged
		}
		rest -= n
	}
	if rest < 0 || p.plain < p.sizes[0]+p.sizes[1] || p.values < 0 || p.rows < 0 || p.nulls < 0 || p.nulls > p.values {
		return ErrDamaged
	}
	if p.values > maxValues(p.plain) {
		return fmt.Errorf("%d values in %d bytes: %w", p.values, p.plain, ErrDamaged)
	}
	return nil
}
