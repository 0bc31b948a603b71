package pages

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A pageReaderAt serves pages to parquet-go as if they were an uncompressed chunk: the header of
// each page, then its body. The first read of a page returns only the header. parquet-go then
// passes the memory for the body to the next read, and the page is decompressed into that memory.
// parquet-go reads sequentially from the start.
//
// Decompressing into a separate buffer was tried, but requires a copy of all texts. Pages of texts
// are usually read without parquet-go; see texts.go.
type pageReaderAt struct {
	chunk  *chunk
	dict   *page // the dictionary, to be served before the pages; nil if there is none to serve
	pages  []page
	head   []byte // the unread part of the current header
	body   []byte // the unread part of the current body; empty if the body was decompressed in place
	unmade *page  // the current page, while its body must still be decompressed; otherwise nil

	raw *[]byte // the body of the current page as stored, in a buffer from the pool raws; invalid once it has been decompressed
}

// raws is a pool of buffers for page bodies as stored in the file.
var raws = sync.Pool{New: func() any { return new([]byte) }}

// ReadAt reads the next bytes into b. It ignores the offset, because parquet-go reads sequentially.
func (s *pageReaderAt) ReadAt(b []byte, _ int64) (n int, err error) {
	if len(s.head) == 0 && s.unmade == nil && len(s.body) == 0 {
		if err := s.next(); err != nil {
			return 0, err
		}
	}
	if len(s.head) > 0 {
		n = copy(b, s.head)
		s.head = s.head[n:]
		return n, nil
	}
	if p := s.unmade; p != nil {
		s.unmade = nil
		size := p.plain + s.chunk.addedBytes(p)
		inPlace, dst := int64(len(b)) >= size, b
		if !inPlace {
			dst = make([]byte, size)
		}
		if err := s.inflateAndAudit(dst[:size:size], p); err != nil {
			return 0, fmt.Errorf("page at %d: %w", p.at, err)
		}
		if inPlace {
			return int(size), nil
		}
		s.body = dst
	}
	n = copy(b, s.body)
	s.body = s.body[n:]
	return n, nil
}

// next reads the next page and makes its header for parquet-go. The body is decompressed when
// parquet-go reads it, or at once if it is empty or must be changed for parquet-go.
func (s *pageReaderAt) next() error {
	p := s.dict
	if s.dict = nil; p == nil {
		if len(s.pages) == 0 {
			return io.EOF
		}
		p, s.pages = &s.pages[0], s.pages[1:]
	}
	q := *p // the page as parquet-go will read it
	kind := s.chunk.leaf.kind
	var err error
	s.raw, err = s.chunk.load(&q)
	switch {
	case err != nil:
	case q.data() && q.encoding == format.RLE && kind == pq.Boolean:
		err = s.remake(&q, plainBooleans)
	case q.data() && q.encoding == format.Plain && kind == pq.ByteArray && s.chunk.group.file.hasPadding():
		err = s.remake(&q, trimTexts)
	case q.data() && q.isIndexed() && s.chunk.group.file.hasShortRuns():
		err = s.remake(&q, padRuns)
	case q.plain == 0 && s.chunk.addedBytes(&q) == 0:
		err = s.inflateAndAudit(nil, &q)
	default:
		s.unmade = &q
	}
	if err == nil {
		h := q
		if added := s.chunk.addedBytes(&q); added > 0 {
			h.kind, h.levels, h.plain = format.DataPage, [2]format.Encoding{format.RLE, format.RLE}, q.plain+added
		}
		h.body, h.crc = h.plain, 0
		s.head, err = h.header()
	}
	if err != nil {
		return fmt.Errorf("page at %d: %w", p.at, err)
	}
	return nil
}

// inflateAndAudit decompresses the body of a page into dst and checks it. The body has the form in
// which parquet-go gets it.
func (s *pageReaderAt) inflateAndAudit(dst []byte, p *page) error {
	body := dst[s.chunk.addedBytes(p):]
	if err := s.chunk.inflate(body, p, s.raw); err != nil {
		return err
	}
	if err := s.chunk.audit(body, p); err != nil {
		return err
	}
	s.addSizes(dst, p)
	return nil
}

// addSizes converts the body of a version 2 page to version 1, if addedBytes is not 0. The body is at
// the end of b.
func (s *pageReaderAt) addSizes(b []byte, p *page) {
	switch s.chunk.addedBytes(p) {
	case 0:
		return
	case 8:
		copy(b[4:], b[8:8+p.sizes[0]])
		binary.LittleEndian.PutUint32(b, uint32(p.sizes[0]))
		b = b[4+p.sizes[0]:]
	}
	binary.LittleEndian.PutUint32(b, uint32(p.sizes[1]))
}

// addedBytes returns by how many bytes the body of a page grows when parquet-go gets it as a page of
// version 1, in which the levels are preceded by their sizes. It returns 0 if parquet-go gets the
// page as it is. parquet-go trusts the number of nulls in a version 2 header, which pyarrow writes
// too low for nested columns, and refuses version 2 pages that begin within a row, which pyarrow
// writes up to version 11.
func (c *chunk) addedBytes(p *page) int64 {
	switch {
	case p.kind != format.DataPageV2 || c.leaf.rep == 0 && c.leaf.def < 2:
		return 0
	case c.leaf.rep == 0:
		return 4
	}
	return 8
}

// remake decompresses the body of a page and replaces it with the result of fix, which also sets the
// encoding if it changes.
func (s *pageReaderAt) remake(p *page, fix func([]byte, *page, *leaf) ([]byte, error)) error {
	b := make([]byte, p.plain)
	err := s.chunk.inflate(b, p, s.raw)
	if err == nil {
		b, err = fix(b, p, s.chunk.leaf)
	}
	if err != nil {
		return err
	}
	p.plain = int64(len(b))
	if err := s.chunk.audit(b, p); err != nil {
		return err
	}
	s.body = append(make([]byte, s.chunk.addedBytes(p)), b...)
	s.addSizes(s.body, p)
	return nil
}

// load reads the body of a page from the file into a buffer from the pool raws.
func (c *chunk) load(p *page) (*[]byte, error) {
	raw := raws.Get().(*[]byte)
	*raw = slices.Grow((*raw)[:0], int(p.body))[:p.body]
	return raw, c.readBody(*raw, p)
}

// readBody reads the body of a page from the file, and checks it against the checksum, if there is
// one, and against the decompressed size in the page header.
func (c *chunk) readBody(b []byte, p *page) error {
	if err := readAt(c.group.file.file, b, p.at+p.head); err != nil {
		return err
	}
	if p.crc != 0 && p.crc != crc32.ChecksumIEEE(b) {
		return fmt.Errorf("checksum mismatch: %w", ErrDamaged)
	}
	return p.checkSize(b, c.meta.Codec)
}

// inflate decompresses into dst a page body that load returned. It then puts the buffer of that
// body back into the pool. The length of dst must be the decompressed size of the page.
func (c *chunk) inflate(dst []byte, p *page, raw *[]byte) error {
	defer raws.Put(raw)
	codec := c.meta.Codec
	if p.stored(codec) {
		copy(dst, *raw)
		return nil
	}
	head := p.sizes[0] + p.sizes[1] // levels of version 2 are not compressed
	copy(dst, (*raw)[:head])
	if head == p.plain {
		return nil // all values are null
	}
	return inflate(dst[head:], (*raw)[head:], codec)
}

// inflated returns the decompressed body of a page, in the memory of dst if it is large enough.
func (c *chunk) inflated(p *page, dst []byte) ([]byte, error) {
	if c.meta.Codec == format.Uncompressed {
		dst = slices.Grow(dst[:0], int(p.body))[:p.body]
		return dst, c.readBody(dst, p)
	}
	raw, err := c.load(p)
	if err != nil {
		return nil, err
	}
	dst = slices.Grow(dst[:0], int(p.plain)+inflateSlack)[:p.plain]
	return dst, c.inflate(dst, p, raw)
}
