package pages

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"
	"weak"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A chunk is the pages of one column in a group.
type chunk struct {
	group *Group
	leaf  *leaf
	meta  *format.ColumnMetaData
	index int // of the column

	once  sync.Once // looks at the headers
	err   error
	dict  *page
	pages []page  // those of data
	first []int64 // the row that each begins with; none where nobody knows

	mu    sync.Mutex
	texts weak.Pointer[dictionary] // the dictionary, while anybody holds it
}

func (c *chunk) fail(err error) error {
	return fmt.Errorf("column %q: %w", strings.Join(c.leaf.column.Path(), "."), err)
}

// look walks over the headers, the first time.
func (c *chunk) look() error {
	c.once.Do(func() {
		if err := c.walk(); err != nil {
			c.err = c.fail(err)
		}
	})
	return c.err
}

// walker returns what walks over the pages.
func (c *chunk) walker() (*walker, error) {
	column := &c.group.meta.Columns[c.index]
	if column.FilePath != "" || column.CryptoMetadata.Value != nil {
		return nil, errForeign
	}
	at := c.meta.DataPageOffset
	if c.meta.DictionaryPageOffset > 0 {
		at = min(at, c.meta.DictionaryPageOffset)
	}
	f := c.group.file
	if n := c.meta.TotalCompressedSize; at < 0 || n < 0 || at > f.size || n > f.size-at {
		return nil, ErrDamaged
	}
	return &walker{r: f.file, at: at, end: at + c.meta.TotalCompressedSize}, nil
}

// walk finds the pages, up to the last row or value that the footer knows of.
func (c *chunk) walk() error {
	w, err := c.walker()
	if err != nil {
		return err
	}
	values, want := int64(0), c.group.Rows()
	if c.leaf.repeated() {
		want = c.meta.NumValues
	}
	for values < want {
		p, err := w.next()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF // the footer promised more
		}
		if err != nil {
			return err
		}
		if err := c.add(&p); err != nil {
			return err
		}
		if p.data() {
			values += p.values
		}
	}
	if values > want || values < c.group.Rows() {
		return fmt.Errorf("%d values, not %d, of %d rows: %w", values, want, c.group.Rows(), ErrDamaged)
	}
	return c.locate()
}

func (c *chunk) add(p *page) error {
	switch {
	case p.kind == format.DictionaryPage && c.dict != nil:
		return fmt.Errorf("a second dictionary at %d: %w", p.at, ErrDamaged)
	case p.kind == format.DictionaryPage:
		c.dict = p
	case p.data() && p.index() && c.dict == nil:
		return fmt.Errorf("indexes without a dictionary at %d: %w", p.at, ErrDamaged)
	case p.data():
		c.pages = append(c.pages, *p)
	}
	return nil
}

// from returns the pages from the one on that holds a row, and the first row
// of them.
func (c *chunk) from(row int64) (pages []page, first int64) {
	if len(c.first) == 0 {
		return c.pages, 0
	}
	i := max(0, sort.Search(len(c.first), func(i int) bool { return c.first[i] > row })-1)
	return c.pages[i:], c.first[i]
}

// Pages returns a reader of the decoded pages. It is how the library reads a
// chunk, and how we do.
func (c *chunk) Pages() pq.Pages { return &reader{chunk: c} }

// values calls fn with the values of n rows from a first one on, of a column
// that is not repeated. They are valid until fn returns.
func (c *chunk) values(first, n int64, fn func([]pq.Value) error) error {
	if err := c.look(); err != nil {
		return err
	}
	for n > 0 {
		pages, at := c.from(first)
		if len(pages) == 0 {
			return c.fail(io.ErrUnexpectedEOF)
		}
		k, err := c.some(pages, first-at, n, fn)
		if err == nil && k == 0 {
			err = c.fail(ErrDamaged)
		}
		if err != nil {
			return err
		}
		first, n = first+k, n-k
	}
	return nil
}

// some calls fn with values of some pages, from a row of them on, up to n, and counts
// them.
func (c *chunk) some(pages []page, from, n int64, fn func([]pq.Value) error) (done int64, err error) {
	r := &reader{chunk: c, lib: c.decode(pages)}
	defer r.Close()
	if err := Guard(func() error { return r.lib.SeekToRow(from) }); err != nil {
		return 0, err
	}
	for done < n {
		k, err := r.values(n-done, fn)
		if done += k; err == io.EOF && done > 0 {
			break
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return done, err
		}
	}
	return done, nil
}
