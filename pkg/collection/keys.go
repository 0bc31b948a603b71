package collection

import (
	"encoding/binary"
	"os"
)

// keyEntry is the size of an entry of the directory of a file of keys: the first bucket of a page.
const keyEntry = 8

// isAfter reports whether a follows b in a file of keys.
func isAfter(a, b *Key) bool {
	return a.Bucket > b.Bucket || a.Bucket == b.Bucket && a.Record > b.Record
}

// A keyWriter writes a file of keys.
type keyWriter struct {
	*fileWriter
	layout
	pending []Key
	page    []byte
	count   int64
	pages   int64
	last    int // number of keys of the last page
}

func newKeyWriter(w *fileWriter, l layout) *keyWriter {
	return &keyWriter{fileWriter: w, layout: l, page: make([]byte, pageSize)}
}

// add adds the next keys, in ascending order.
func (w *keyWriter) add(keys ...Key) error {
	w.pending = append(w.pending, keys...)
	if len(w.pending) < 4*mostKeys {
		return nil
	}
	return w.flush(mostKeys)
}

// flush writes pages until less than the given number of keys is pending.
func (w *keyWriter) flush(least int) error {
	keys := w.pending
	for len(keys) > 0 && len(keys) >= least {
		n := w.pageOf(keys)
		w.encodePage(w.page, keys[:n])
		w.salt.seal(w.page, w.pages)
		var entry [keyEntry]byte
		binary.LittleEndian.PutUint64(entry[:], keys[0].Bucket)
		if _, err := w.entries.Write(entry[:]); err != nil {
			return err
		}
		if _, err := w.Write(w.page); err != nil {
			return err
		}
		w.count += int64(n)
		w.pages++
		keys = keys[n:]
	}
	w.pending = append(w.pending[:0], keys...)
	return nil
}

// pageOf returns how many of the given keys the next page gets. It begins with the number of the
// last page, because most pages have about as many.
func (w *keyWriter) pageOf(keys []Key) int {
	most := min(len(keys), mostKeys)
	fits := func(n int) bool { return w.fits(keys[n-1].Bucket-keys[0].Bucket, n) }
	n := min(max(1, w.last), most)
	for n > 1 && !fits(n) {
		n -= max(1, n/64)
	}
	for step := 16; step > 0; step /= 4 {
		for n+step <= most && fits(n+step) {
			n += step
		}
	}
	w.last = n
	return n
}

// finish writes the pending keys and the directory.
func (w *keyWriter) finish(sync bool) (k KeyFile, err error) {
	if err := w.flush(1); err != nil {
		return k, err
	}
	k.Count, k.Pages = w.count, w.pages
	k.File, err = w.fileWriter.finish(w.pages, sync)
	return k, err
}

// keyPages returns a pager of the keys of a segment.
func (s *segment) keyPages() *pager { return newPager(s.keys, s.Keys.Salt, 0, 0, s.Keys.Pages) }

// keyDirectory returns the directory of the keys of a segment.
func (s *segment) keyDirectory() *directory {
	return newDirectory(s.keys, s.Keys.Salt, s.Keys.Pages*pageSize, s.Keys.Pages, s.Keys.Pages, keyEntry)
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
	last := &r.last
	for i := range r.keys {
		if isAfter(last, &r.keys[i]) {
			return false, fileError(r.file, "page %d: the keys are not sorted", r.next)
		}
		last = &r.keys[i]
	}
	r.last = *last
	r.next++
	if r.remain -= int64(len(r.keys)); r.remain < 0 {
		return false, fileError(r.file, "more keys than the manifest says")
	}
	return true, nil
}
