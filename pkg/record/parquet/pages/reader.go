package pages

import (
	"io"
	"slices"

	pq "github.com/parquet-go/parquet-go"
)

// A reader reads the decoded pages of a chunk. It implements pq.Pages for parquet-go.
type reader struct {
	chunk *chunk
	lib   *pq.FilePages
	trim  bool // the next page may begin with values of the row before the wanted one
}

// SeekToRow sets the row of the group at which ReadPage continues.
func (r *reader) SeekToRow(row int64) error {
	if err := r.chunk.walkOnce(); err != nil {
		return err
	}
	r.Close()
	pages, first := r.chunk.pagesFrom(row)
	r.lib = r.chunk.decode(pages)
	// parquet-go returns a page unchanged if it skips no rows of it, even if the page begins within
	// a row.
	r.trim = r.chunk.leaf.rep > 0 && row > 0 && row == first
	return Guard(func() error { return r.lib.SeekToRow(row - first) })
}

// decode returns a parquet-go reader of the given data pages of the chunk.
func (c *chunk) decode(pages []page) *pq.FilePages {
	lib := c.group.lib.ColumnChunks()[c.index].(*pq.FileColumnChunk)
	f := &pageReaderAt{chunk: c, pages: pages}
	if slices.ContainsFunc(pages, func(p page) bool { return p.isIndexed() }) {
		f.dict = c.dict
	}
	return lib.PagesFrom(f)
}

// ReadPage returns the next page, or io.EOF.
func (r *reader) ReadPage() (p pq.Page, err error) {
	if r.lib == nil {
		if err := r.SeekToRow(0); err != nil {
			return nil, err
		}
	}
	p, err = readPage(r.lib)
	for err == nil && r.trim {
		p, err = r.trimPage(p)
	}
	if err != nil && err != io.EOF {
		err = r.chunk.fail(err)
	}
	return p, err
}

// trimPage removes the values at the beginning of a page that belong to the row of the page before.
// If no row begins in the page, trimPage returns the next page, and r.trim stays set.
func (r *reader) trimPage(p pq.Page) (rest pq.Page, err error) {
	err = Guard(func() error {
		switch levels := p.RepetitionLevels(); {
		case len(levels) == 0 || levels[0] == 0:
			rest, r.trim = p, false
			return nil
		case p.NumRows() > 0:
			rest, r.trim = p.Slice(0, p.NumRows()), false
		}
		pq.Release(p)
		return nil
	})
	if err == nil && rest == nil {
		rest, err = readPage(r.lib)
	}
	return rest, err
}

func readPage(lib *pq.FilePages) (p pq.Page, err error) {
	err = Guard(func() error {
		p, err = lib.ReadPage()
		return err
	})
	return p, err
}

// Close invalidates the pages that ReadPage returned.
func (r *reader) Close() error {
	if r.lib == nil {
		return nil
	}
	lib := r.lib
	r.lib = nil
	return Guard(lib.Close)
}

// eachValue calls next to get pages, and passes their values to fn, a few hundred at a time. It
// stops after n values or at the end of the pages, and returns the number of values. The values are
// valid until fn returns.
func eachValue(next func() (pq.Page, error), n int64, fn func([]pq.Value) error) (done int64, err error) {
	buf := make([]pq.Value, 256)
	for done < n {
		page, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return done, err
		}
		k, err := pageValues(page, buf, n-done, fn)
		pq.Release(page)
		if done += k; err != nil {
			return done, err
		}
	}
	return done, nil
}

func pageValues(page pq.Page, buf []pq.Value, n int64, fn func([]pq.Value) error) (done int64, err error) {
	var values pq.ValueReader
	if err := Guard(func() error { values = page.Values(); return nil }); err != nil {
		return 0, err
	}
	for done < n && err != io.EOF {
		k := 0
		err = Guard(func() (err error) {
			k, err = values.ReadValues(buf[:min(int64(len(buf)), n-done)])
			return err
		})
		if err != nil && err != io.EOF {
			return done, err
		}
		if err == nil && k == 0 {
			return done, ErrDamaged
		}
		if err := fn(buf[:k]); err != nil {
			return done, err
		}
		done += int64(k)
	}
	return done, nil
}
