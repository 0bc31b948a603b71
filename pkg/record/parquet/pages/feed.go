package pages

import (
	"fmt"
	"io"
	"slices"
	"sync"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A feed serves pages to the library, which takes it for a chunk that is not
// compressed: the header of each, then its body. The header is returned alone,
// so that the library asks for the body with the memory that it has for it, and
// the page is decompressed there. The library reads from the beginning on;
// whatever it asks for is what comes next.
//
// Tried: decompressing into memory of ours, which costs a copy of all texts. Pages of
// plain texts are not served to the library at all, see texts.go.
type feed struct {
	chunk  *chunk
	dict   *page // served first, if there is one
	pages  []page
	head   []byte // what is left of a header
	body   []byte // what is left of a body, where it is not made in place
	unmade *page  // the page whose body is next, if it is made in place

	raw *[]byte // the page as it is in the file, from raws until its body is made
}

// raws is memory for pages as they are in the file.
var raws = sync.Pool{New: func() any { return new([]byte) }}

// ReadAt fills b with what comes next.
func (s *feed) ReadAt(b []byte, _ int64) (n int, err error) {
	if len(s.head) == 0 && s.unmade == nil && len(s.body) == 0 {
		if err := s.next(); err != nil {
			return 0, err
		}
	}
	switch {
	case len(s.head) > 0:
		n = copy(b, s.head)
		s.head = s.head[n:]
		return n, nil
	case s.unmade != nil && int64(len(b)) >= s.unmade.plain:
		p := s.unmade
		s.unmade = nil
		if err := s.fill(b[:p.plain], p); err != nil {
			return 0, fmt.Errorf("page at %d: %w", p.at, err)
		}
		return int(p.plain), nil
	case s.unmade != nil:
		if err := s.aside(); err != nil {
			return 0, err
		}
	}
	n = copy(b, s.body)
	s.body = s.body[n:]
	return n, nil
}

// aside makes the body in memory of ours.
func (s *feed) aside() error {
	p := s.unmade
	s.unmade = nil
	s.body = make([]byte, p.plain)
	return s.fill(s.body, p)
}

// next reads the next page and makes the header that the library gets.
func (s *feed) next() error {
	p := s.dict
	if s.dict = nil; p == nil {
		if len(s.pages) == 0 {
			return io.EOF
		}
		p, s.pages = &s.pages[0], s.pages[1:]
	}
	q := *p // what it is served as
	err := s.load(&q)
	if err == nil {
		err = s.prepare(&q)
	}
	if err == nil {
		q.body, q.crc = q.plain, 0
		s.head, err = q.header()
	}
	if err != nil {
		return fmt.Errorf("page at %d: %w", p.at, err)
	}
	return nil
}

// prepare puts the body of a page off, or makes it where its size changes.
func (s *feed) prepare(p *page) error {
	kind := s.chunk.leaf.kind
	switch {
	case p.data() && p.encoding == format.RLE && kind == pq.Boolean:
		return s.remake(p, plainBooleans)
	case p.data() && p.encoding == format.Plain && kind == pq.ByteArray && s.chunk.group.file.pads():
		return s.remake(p, trimTexts)
	case p.plain == 0:
		return s.fill(nil, p)
	}
	s.unmade = p
	return nil
}

// load reads the page from the file, and finds out whether its size is what it
// says.
func (s *feed) load(p *page) error {
	s.raw = raws.Get().(*[]byte)
	*s.raw = slices.Grow((*s.raw)[:0], int(p.body))[:p.body]
	if err := readAt(s.chunk.group.file.file, *s.raw, p.at+p.head); err != nil {
		return err
	}
	if err := p.checkSum(*s.raw); err != nil {
		return err
	}
	return p.checkSize(*s.raw, s.chunk.meta.Codec)
}

// fill makes the body of a page in dst, and looks it through.
func (s *feed) fill(dst []byte, p *page) error {
	if err := s.inflate(dst, p); err != nil {
		return err
	}
	return s.audit(dst, p)
}

// inflate makes the body as it is, and lets go of what it was made of.
func (s *feed) inflate(dst []byte, p *page) error {
	err := p.inflate(dst, *s.raw, s.chunk.meta.Codec)
	raws.Put(s.raw)
	s.raw = nil
	return err
}

// remake makes a body that becomes another, with plain values.
func (s *feed) remake(p *page, fix func([]byte, *page, *leaf) ([]byte, error)) error {
	b := make([]byte, p.plain)
	err := s.inflate(b, p)
	if err == nil {
		b, err = fix(b, p, s.chunk.leaf)
	}
	if err != nil {
		return err
	}
	s.body, p.encoding, p.plain = b, format.Plain, int64(len(b))
	return s.audit(b, p)
}
