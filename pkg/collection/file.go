package collection

import (
	"bufio"
	"cmp"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"doppel/pkg/digest"
	"doppel/pkg/files/durable"
	"doppel/pkg/spill"
)

// A fileWriter writes a file of a segment, which must not exist. The directory of the file, which
// has an entry per page or frame, is stored in a log until the end.
type fileWriter struct {
	file      *os.File
	salt      salt
	buf       *bufio.Writer
	sum       digest.Stream
	size      int64
	entries   spill.Log
	entrySize int64
}

func createFile(dir, name string, entrySize int, mode fs.FileMode) (*fileWriter, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	return &fileWriter{file: f, salt: salt(rand.Uint32()), buf: bufio.NewWriterSize(f, 1<<18), sum: digest.Hash{}.NewStream(), entrySize: int64(entrySize)}, nil
}

// Write appends bytes to the file.
func (w *fileWriter) Write(b []byte) (int, error) {
	w.size += int64(len(b))
	w.sum.Write(b)
	return w.buf.Write(b)
}

// finish writes the directory, whose first page has the given number, and syncs the file. It
// returns the file's description.
func (w *fileWriter) finish(number int64, sync bool) (File, error) {
	page := make([]byte, pageSize)
	n := w.entrySize * (directoryRoom / w.entrySize)
	for at := int64(0); at < w.entries.Len(); at += n {
		clear(page)
		if _, err := w.entries.ReadAt(page[pageSum:pageSum+n], at); err != nil && err != io.EOF {
			return File{}, err
		}
		w.salt.seal(page, number)
		number++
		if _, err := w.Write(page); err != nil {
			return File{}, err
		}
	}
	err := w.buf.Flush()
	if err == nil && sync {
		err = durable.Sync(w.file)
	}
	return File{filepath.Base(w.file.Name()), w.size, w.salt, string(w.sum.Sum().AppendHex(nil))}, err
}

// close closes the file. It stays where it is.
func (w *fileWriter) close() error { return cmp.Or(w.file.Close(), w.entries.Close()) }

const (
	pageSum       = 8 // size of the checksum of a page
	directoryRoom = pageSize - pageSum
)

// directoryPages returns the number of pages of a directory.
func directoryPages(entries int64, size int) int64 {
	n := int64(directoryRoom / size)
	return (entries + n - 1) / n
}

// A pager reads pages of a file. It reads more pages at a time while three in four of them are
// used.
type pager struct {
	file  *os.File
	salt  salt
	at    int64 // offset of page 0
	first int64 // number of page 0, for the checksums
	n     int64 // number of pages

	buf      []byte
	lo, hi   int64 // range of the pages in buf
	used     int64 // number of the pages in buf that were used
	last     int64 // last page that was used
	window   int64 // number of pages to read at a time
	pageRead int64 // number of pages read
}

// mostWindow is the maximum number of pages that a pager reads at a time.
const mostWindow = 128

func newPager(f *os.File, s salt, at, first, n int64) *pager {
	return &pager{file: f, salt: s, at: at, first: first, n: n, last: -1, window: 1}
}

// page returns a page, followed by slack bytes. It is valid until the next call.
func (p *pager) page(i int64) ([]byte, error) {
	if i < p.lo || i >= p.hi {
		if err := p.read(i); err != nil {
			return nil, err
		}
	}
	b := p.buf[(i-p.lo)*pageSize:][:pageSize+slack]
	if i == p.last {
		return b, nil
	}
	if err := p.salt.unseal(b, p.first+i); err != nil {
		return nil, fileError(p.file, "page %d: %w", p.first+i, err)
	}
	p.last = i
	p.used++
	return b, nil
}

func (p *pager) read(i int64) error {
	switch n := p.hi - p.lo; {
	case p.used*4 >= n*3 && i <= p.hi+n/4:
		p.window = min(2*p.window, mostWindow)
	case p.used*2 <= n:
		p.window = max(1, p.window/2)
	}
	n := min(p.window, p.n-i)
	if int64(len(p.buf)) < n*pageSize+slack {
		p.buf = make([]byte, n*pageSize+slack)
	}
	p.lo, p.hi, p.used, p.last = 0, 0, 0, -1
	if err := readAt(p.file, p.buf[:n*pageSize], p.at+i*pageSize); err != nil {
		return err
	}
	p.lo, p.hi = i, i+n
	p.pageRead += n
	return nil
}

// A directory reads the directory of a file.
type directory struct {
	pages   *pager
	size    int64 // size of an entry
	perPage int64
	page    int64
	data    []byte
}

func newDirectory(f *os.File, s salt, at, first, entries int64, size int) *directory {
	return &directory{
		pages: newPager(f, s, at, first, directoryPages(entries, size)),
		size:  int64(size), perPage: int64(directoryRoom / size), page: -1,
	}
}

// entry returns an entry, which must be there. It is valid until the next call.
func (d *directory) entry(i int64) ([]byte, error) {
	page := i / d.perPage
	if page != d.page {
		d.page = -1
		data, err := d.pages.page(page)
		if err != nil {
			return nil, err
		}
		d.data, d.page = data, page
	}
	return d.data[pageSum+(i-page*d.perPage)*d.size:][:d.size], nil
}
