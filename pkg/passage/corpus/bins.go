package corpus

import (
	"os"

	"doppel/pkg/scratch"
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
	n    int   // of what was added
	segs []segment
}

type segment struct {
	offset int64
	n      int
}

// Bounds of the buffer of a heap.
const leastBuffer, mostBuffer = 1 << 12, 1 << 18

// newBins returns n bins that hold about mem bytes.
func newBins(n int, mem int64) (*bins, error) {
	f, err := scratch.Create()
	if err != nil {
		return nil, err
	}
	buffer := min(max(mem/int64(n+1), leastBuffer), mostBuffer)
	return &bins{file: f, heaps: make([]heap, n), buffer: int(buffer)}, nil
}

// add appends bytes to a heap, and returns how many times that was done before.
func (b *bins) add(bin int, head, body []byte) (int, error) {
	h := &b.heaps[bin]
	if len(h.buf)+len(head)+len(body) > b.buffer {
		if err := b.flush(h); err != nil {
			return 0, err
		}
	}
	if h.buf == nil {
		h.buf = make([]byte, 0, b.buffer)
	}
	h.n++
	h.buf = append(append(h.buf, head...), body...)
	h.size += int64(len(head) + len(body))
	return h.n - 1, nil
}

func (b *bins) flush(h *heap) error {
	if len(h.buf) == 0 {
		return nil
	}
	if _, err := b.file.WriteAt(h.buf, b.end); err != nil {
		return err
	}
	h.segs = append(h.segs, segment{b.end, len(h.buf)})
	b.end += int64(len(h.buf))
	h.buf = h.buf[:0]
	return nil
}

// load appends what a heap holds to dst.
func (b *bins) load(dst []byte, bin int) ([]byte, error) {
	h := &b.heaps[bin]
	if room := int(h.size); cap(dst) < room {
		dst = make([]byte, 0, room+room/8)
	}
	for _, s := range h.segs {
		at := len(dst)
		dst = dst[:at+s.n]
		if _, err := b.file.ReadAt(dst[at:], s.offset); err != nil {
			return dst, err
		}
	}
	return append(dst, h.buf...), nil
}

// close gives up the file.
func (b *bins) close() error { return b.file.Close() }
