package corpus

import (
	"cmp"
	"os"
	"slices"

	"doppel/pkg/spill"
)

// bins keep bytes on disk in heaps that are read one at a time.
type bins struct {
	file   *os.File
	heaps  []heap
	end    int64
	buffer int // bytes of a heap that wait for more
}

type heap struct {
	buf  []byte
	size int64 // the buffer included
	n    int   // members
	segs []segment
}

// A segment is what was written at once: whole members.
type segment struct {
	start  int64 // in the heap
	offset int64 // in the file
	n      int
}

// Bounds of the buffer of a heap.
const leastBuffer, mostBuffer = 1 << 12, 1 << 18

// newBins returns n bins that hold about mem bytes.
func newBins(n int, mem int64) (*bins, error) {
	f, err := spill.Create()
	if err != nil {
		return nil, err
	}
	buffer := min(max(mem/int64(n+1), leastBuffer), mostBuffer)
	return &bins{file: f, heaps: make([]heap, n), buffer: int(buffer)}, nil
}

// add appends a member to a heap.
func (b *bins) add(bin int, head, body []byte) error {
	h := &b.heaps[bin]
	if len(h.buf)+len(head)+len(body) > b.buffer {
		if err := b.flush(h); err != nil {
			return err
		}
	}
	if h.buf == nil {
		h.buf = make([]byte, 0, b.buffer)
	}
	h.n++
	h.buf = append(append(h.buf, head...), body...)
	h.size += int64(len(head) + len(body))
	return nil
}

func (b *bins) flush(h *heap) error {
	if len(h.buf) == 0 {
		return nil
	}
	if _, err := b.file.WriteAt(h.buf, b.end); err != nil {
		return err
	}
	h.segs = append(h.segs, segment{h.size - int64(len(h.buf)), b.end, len(h.buf)})
	b.end += int64(len(h.buf))
	h.buf = h.buf[:0]
	return nil
}

// load appends what a heap holds to dst.
func (b *bins) load(dst []byte, bin int) ([]byte, error) {
	dst = slices.Grow(dst, int(b.heaps[bin].size))
	err := b.each(bin, func(data []byte) error {
		dst = append(dst, data...)
		return nil
	})
	return dst, err
}

// each calls fn with what a heap holds, some members at a time.
func (b *bins) each(bin int, fn func([]byte) error) error {
	h, buf := &b.heaps[bin], []byte(nil)
	for i := range len(h.segs) + 1 {
		var err error
		if buf, err = b.segment(buf[:0], h, i); err != nil {
			return err
		}
		if err := fn(buf); err != nil {
			return err
		}
	}
	return nil
}

// segment appends a segment of a heap to dst; what waits in the buffer is the
// last.
func (b *bins) segment(dst []byte, h *heap, i int) ([]byte, error) {
	if i == len(h.segs) {
		return append(dst, h.buf...), nil
	}
	s := h.segs[i]
	dst = slices.Grow(dst, s.n)
	_, err := b.file.ReadAt(dst[len(dst):len(dst)+s.n], s.offset)
	return dst[:len(dst)+s.n], err
}

// read returns n bytes of a heap that were added at once.
func (b *bins) read(h *heap, start int64, n int) ([]byte, error) {
	i, found := slices.BinarySearchFunc(h.segs, start, func(s segment, start int64) int { return cmp.Compare(s.start, start) })
	if !found {
		i--
	}
	dst := make([]byte, n)
	if i >= 0 && start < h.segs[i].start+int64(h.segs[i].n) {
		_, err := b.file.ReadAt(dst, h.segs[i].offset+start-h.segs[i].start)
		return dst, err
	}
	copy(dst, h.buf[start-(h.size-int64(len(h.buf))):])
	return dst, nil
}

// close gives up the file.
func (b *bins) close() error { return b.file.Close() }
