package corpus

import "io"

// members are those of a bin as a corpus.
type members struct {
	bins *bins
	bin  int
	pos  []uint64 // of each
}

func (g *members) note(m member) error {
	g.pos = append(g.pos, m.Pos)
	return nil
}

// open is a Source.
func (g *members) open() (func() (Batch, error), error) {
	r := &memberReader{bins: g.bins, heap: &g.bins.heaps[g.bin]}
	return r.next, nil
}

// A memberReader reads a batch from each segment of a heap.
type memberReader struct {
	bins  *bins
	heap  *heap
	at    int // the next segment
	start int64
	texts []place
}

// A place is where a text is in a heap.
type place struct {
	start int64
	size  int32
}

func (r *memberReader) next() (Batch, error) {
	if r.at > len(r.heap.segs) {
		return nil, io.EOF
	}
	data, err := r.bins.segment(nil, r.heap, r.at)
	if err != nil {
		return nil, err
	}
	var b memberBatch
	for at := 0; at < len(data); {
		text, size, err := r.text(data[at:], r.start+int64(at))
		if err != nil {
			return nil, err
		}
		b = append(b, text)
		at += size
	}
	r.at++
	r.start += int64(len(data))
	return b, nil
}

// text returns the text of the member that data begins with, and its size.
func (r *memberReader) text(data []byte, start int64) (text []byte, size int, err error) {
	number := int32(len(r.texts))
	m, size := parseMember(data, &number)
	if m.same {
		p := r.texts[m.text]
		text, err = r.bins.read(r.heap, p.start, int(p.size))
		return text, size, err
	}
	r.texts = append(r.texts, place{start + int64(size-len(m.Text)), int32(len(m.Text))})
	return m.Text, size, nil
}

// A memberBatch is texts of members.
type memberBatch [][]byte

func (b memberBatch) Texts() ([][]byte, error) { return b, nil }
func (b memberBatch) Done()                    {}
