package record

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"sync"
)

// A member of a gzip stream can be decoded without the members before it, but does not say where it
// ends; only the blocks of bgzip do. The members that a program writes mostly have equal headers. A
// memberCutter therefore divides the stream before headers that equal the first one. Bytes within a
// member can look like a header, too. The piece before them then ends within a member, so the
// aheadReader decodes the rest of the stream without cutting it.

const (
	headerBytes = 10       // of a member, without the optional fields
	minMembers  = 64 << 10 // minimum size of a piece; a block of bgzip has about 20 KB
	maxMembers  = 4 << 20  // maximum size of a piece
)

// A memberCutter divides a gzip stream into pieces of one or several members.
type memberCutter struct {
	header []byte // of the first member; nil before it is read
	spares *sync.Pool
}

// newMemberReader returns a reader of a gzip stream that decodes several pieces concurrently, as many
// as jobs.
func newMemberReader(r *bufio.Reader, jobs int) *aheadReader {
	spares := &sync.Pool{New: func() any { return new(gzipReader) }}
	return newAheadReader(r, &memberCutter{spares: spares}, jobs)
}

func (c *memberCutter) cut(r *bufio.Reader, packed *[]byte) (size, decoded int, err error) {
	if c.header == nil {
		header, _ := r.Peek(headerBytes) // reading the piece returns the error
		c.header = bytes.Clone(header)
	}
	for from := minMembers; len(*packed) < maxMembers; {
		if len(*packed) >= from+len(c.header) {
			if n := bytes.Index((*packed)[from:], c.header); n >= 0 {
				return from + n, 0, nil
			}
			from = len(*packed) - len(c.header) + 1
		}
		err := appendBytes(r, packed, minMembers)
		if ended := err == io.EOF || err == io.ErrUnexpectedEOF; ended && len(*packed) > 0 {
			return len(*packed), 0, nil
		} else if err != nil {
			return 0, 0, err
		}
	}
	return 0, 0, errUncut
}

// decode decodes whole members.
func (c *memberCutter) decode(dst, packed []byte) ([]byte, error) {
	g := c.spares.Get().(*gzipReader)
	defer c.spares.Put(g)
	g.restart(bytes.NewReader(packed))
	for len(dst) < maxDecoded {
		dst = slices.Grow(dst, minMembers)
		n, err := g.Read(dst[len(dst):cap(dst)])
		if dst = dst[:len(dst)+n]; err == io.EOF {
			return dst, nil
		} else if err != nil {
			return nil, err
		}
	}
	return nil, errUncut
}

func (c *memberCutter) stream(r *bufio.Reader) io.ReadCloser {
	g := new(gzipReader)
	g.restart(r)
	return g
}

func (c *memberCutter) close() {}
