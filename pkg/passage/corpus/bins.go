package corpus

import (
	"cmp"
	"encoding/binary"
	"io"
	"os"
	"slices"

	"doppel/pkg/passage"
)

// bins stores members on disk. Each bin has a heap, a sequence of encoded members that can be read
// separately.
type bins struct {
	file   *os.File
	heaps  []heap
	end    int64
	buffer int // size of a heap's buffer in bytes
}

type heap struct {
	buf  []byte
	size int64 // size of the heap in bytes, including the buffer
	n    int   // number of members
	segs []segment
}

// A segment is a part of a heap that was written to the file in one call. It holds whole members.
type segment struct {
	start  int64 // offset in the heap
	offset int64 // offset in the file
	n      int
}

// The minimum and maximum size of a heap's buffer, in bytes.
const leastBuffer, mostBuffer = 1 << 12, 1 << 18

// add appends a member to a heap.
func (b *bins) add(bin int, head, body []byte) error {
	h := &b.heaps[bin]
	if len(h.buf) > 0 && len(h.buf)+len(head)+len(body) > b.buffer {
		if _, err := b.file.WriteAt(h.buf, b.end); err != nil {
			return err
		}
		h.segs = append(h.segs, segment{h.size - int64(len(h.buf)), b.end, len(h.buf)})
		b.end += int64(len(h.buf))
		h.buf = h.buf[:0]
	}
	if h.buf == nil {
		h.buf = make([]byte, 0, b.buffer)
	}
	h.n++
	h.buf = append(append(h.buf, head...), body...)
	h.size += int64(len(head) + len(body))
	return nil
}

// eachSegment calls fn with the bytes of a heap, one segment at a time.
func (b *bins) eachSegment(bin int, fn func([]byte) error) error {
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

// segment appends the i-th segment of a heap to dst. If i is the number of segments in the file,
// segment appends the buffer.
func (b *bins) segment(dst []byte, h *heap, i int) ([]byte, error) {
	if i == len(h.segs) {
		return append(dst, h.buf...), nil
	}
	s := h.segs[i]
	dst = slices.Grow(dst, s.n)
	_, err := b.file.ReadAt(dst[len(dst):len(dst)+s.n], s.offset)
	return dst[:len(dst)+s.n], err
}

// read returns the n bytes of a heap that begin at start. The bytes must belong to a single member.
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

// asCorpus returns a Source that yields the texts of a bin's members, one batch per segment.
func (b *bins) asCorpus(bin int) Source {
	return func() (func() (Batch, error), error) {
		h := &b.heaps[bin]
		var texts []place
		seg, start := 0, int64(0) // segment number and heap offset of the next batch
		next := func() (Batch, error) {
			if seg > len(h.segs) {
				return nil, io.EOF
			}
			data, err := b.segment(nil, h, seg)
			if err != nil {
				return nil, err
			}
			var batch memberBatch
			for at := 0; at < len(data); {
				number := int32(len(texts))
				m, size := parseMember(data[at:], &number)
				at += size
				if m.same {
					p := texts[m.text]
					if m.Text, err = b.read(h, p.start, int(p.size)); err != nil {
						return nil, err
					}
				} else {
					texts = append(texts, place{start + int64(at-len(m.Text)), int32(len(m.Text))})
				}
				batch = append(batch, m.Text)
			}
			seg++
			start += int64(len(data))
			return batch, nil
		}
		return next, nil
	}
}

// A place is the byte range of a text in a heap.
type place struct {
	start int64
	size  int32
}

// A memberBatch holds the texts of members and implements Batch.
type memberBatch [][]byte

func (b memberBatch) Texts() ([][]byte, error) { return b, nil }
func (b memberBatch) Done()                    {}

// A bin stores a member as its position (8 bytes), its group in the bin (4 bytes), the count
// minus one (1 byte), flags (1 byte), and a varint. The varint is the number of bytes of text
// that follow or, with flagSame, the number of the equal text in the bin, counted from 0.
const (
	headSize  = 14
	flagTwice = 1
	flagSame  = 2
)

// A member is a run in a bin.
type member struct {
	passage.Member
	group   uint32
	same    bool  // whether the text is stored with an earlier member
	text    int32 // index of the text among the texts of the bin
	context int32
}

// parseMember parses the first member of data, and returns its size in bytes. *texts is the number
// of texts parsed so far; parseMember increments it if the member is stored with its text.
func parseMember(data []byte, texts *int32) (m member, size int) {
	number, n := binary.Uvarint(data[headSize:])
	size = headSize + n
	m.Pos = binary.LittleEndian.Uint64(data)
	m.group = binary.LittleEndian.Uint32(data[8:])
	m.Count = int(data[12]) + 1
	m.Twice = data[13]&flagTwice != 0
	if m.same = data[13]&flagSame != 0; m.same {
		m.text = int32(number)
		return m, size
	}
	m.text = *texts
	*texts++
	m.Text = data[size : size+int(number)]
	return m, size + int(number)
}
