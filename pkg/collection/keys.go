package collection

import (
	"cmp"
	"encoding/binary"
	"os"
)

// keyEntry is the size of an entry of the directory of a file of keys: the first bucket of a page.
const keyEntry = 8

// compareKeys orders keys as in a file of keys.
func compareKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.Bucket, b.Bucket), cmp.Compare(a.Record, b.Record))
}

// A keyWriter writes a file of keys.
type keyWriter struct {
	*fileWriter
	layout
	pending []Key
	page    []byte
	count   int64
	pages   int64
}

func newKeyWriter(w *fileWriter, l layout) *keyWriter {
	return &keyWriter{fileWriter: w, layout: l, page: make([]byte, pageSize)}
}

// add adds the next key, in ascending order.
func (w *keyWriter) add(k Key) error {
	if n := len(w.pending); n > 0 && !w.fits(k.Bucket-w.pending[0].Bucket, n+1) {
		if err := w.flush(); err != nil {
			return err
		}
	}
	w.pending = append(w.pending, k)
	return nil
}

func (w *keyWriter) flush() error {
	w.encodePage(w.page, w.pages, w.pending)
	var entry [keyEntry]byte
	binary.LittleEndian.PutUint64(entry[:], w.pending[0].Bucket)
	if _, err := w.entries.Write(entry[:]); err != nil {
		return err
	}
	w.count += int64(len(w.pending))
	w.pages++
	w.pending = w.pending[:0]
	_, err := w.Write(w.page)
	return err
}

// finish writes what is pending and the directory.
func (w *keyWriter) finish(sync bool) (k KeyFile, err error) {
	if len(w.pending) > 0 {
		if err := w.flush(); err != nil {
			return k, err
		}
	}
	k.Count, k.Pages = w.count, w.pages
	k.File, err = w.fileWriter.finish(w.pages, sync)
	return k, err
}

// keyPages returns a pager of the keys of a segment.
func (s *segment) keyPages() *pager { return newPager(s.keys, 0, 0, s.Keys.Pages) }

// keyDirectory returns the directory of the keys of a segment.
func (s *segment) keyDirectory() *directory {
	return newDirectory(s.keys, s.Keys.Pages*pageSize, s.Keys.Pages, s.Keys.Pages, keyEntry)
}

// A keyReader reads the keys of a segment in order.
type keyReader struct {
	layout
	file   *os.File
	pages  *pager
	next   int64
	keys   []Key
	at     int
	remain int64 // number of keys that the manifest promises beyond those in keys
	last   Key
}

func (s *segment) readKeys(l layout) *keyReader {
	p := s.keyPages()
	p.window = mostWindow
	return &keyReader{layout: l, file: s.keys, pages: p, remain: s.Keys.Count}
}

// more reads the next page if no keys are left. It reports whether there is a key. It checks that
// the keys are ascending, and as many as the manifest says.
func (r *keyReader) more() (bool, error) {
	if r.at < len(r.keys) {
		return true, nil
	}
	if r.next == r.pages.n {
		if r.remain != 0 {
			return false, fileError(r.file, "%d keys fewer than the manifest says", r.remain)
		}
		return false, nil
	}
	data, err := r.pages.page(r.next)
	if err != nil {
		return false, err
	}
	var p page
	if err := p.open(r.layout, data); err != nil {
		return false, fileError(r.file, "page %d: %w", r.next, err)
	}
	r.keys, r.at = p.appendKeys(r.keys[:0]), 0
	for i, k := range r.keys {
		if i+int(r.next) > 0 && compareKeys(r.last, k) > 0 {
			return false, fileError(r.file, "page %d: the keys are not sorted", r.next)
		}
		r.last = k
	}
	r.next++
	if r.remain -= int64(len(r.keys)); r.remain < 0 {
		return false, fileError(r.file, "more keys than the manifest says")
	}
	return true, nil
}
