package record

import (
	"bytes"
	"io"
	"slices"
)

// blockSize is how much is read for one batch: enough for the hand-over between
// threads not to count, and little enough to stay in a second-level cache.
const blockSize = 1 << 18

// A lineSource cuts a stream into batches of whole lines. A line may be as
// long as memory allows.
type lineSource struct {
	s     *Stream
	paths *paths
	carry []byte // the begun line that the last block ended in
	line  int64  // lines read so far
	end   byte   // of a line: LF or NUL
	eof   bool
	start bool // nothing was read yet: a byte order mark may come
}

func newLineSource(s *Stream, p *paths, end byte) *lineSource {
	return &lineSource{s: s, paths: p, end: end, start: true}
}

func (l *lineSource) Close() error { return l.s.Close() }

// Next reads a block and cuts it after its last line end.
func (l *lineSource) Next(b *Batch) error {
	for !l.eof {
		b.Reset(0, l.paths.decode)
		if err := l.fill(b); err != nil {
			return err
		}
		b.size = int64(len(b.data))
		if l.split(b); len(b.Records) > 0 {
			return nil
		}
	}
	return io.EOF
}

// fill reads whole lines into b.data and leaves the rest in l.carry. It makes
// room only for a line that is longer than a block, and never reads more than a
// block at a time: as many short lines as a long one has bytes would be a batch
// of gigabytes.
func (l *lineSource) fill(b *Batch) error {
	data := append(slices.Grow(b.data[:0], blockSize), l.carry...)
	l.carry = l.carry[:0]
	searched := len(data)
	for {
		if len(data) == cap(data) {
			data = append(make([]byte, 0, 2*cap(data)), data...)
		}
		n, err := io.ReadFull(l.s, data[len(data):min(cap(data), len(data)+blockSize)])
		data = data[:len(data)+n]
		if err == io.EOF {
			l.eof = true
			b.data = data
			return nil
		}
		if err != nil && err != io.ErrUnexpectedEOF { // after which the next call meets the end
			return err
		}
		if n := bytes.LastIndexByte(data[searched:], l.end) + 1; n > 0 {
			n += searched
			l.carry = append(l.carry, data[n:]...)
			b.data = data[:n]
			return nil
		}
		searched = len(data)
	}
}

// split makes a record of each line; blank lines are none, except where the
// line itself is the text.
func (l *lineSource) split(b *Batch) {
	data := b.data
	if l.start {
		data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
		l.start = false
	}
	for len(data) > 0 {
		line := data
		if n := bytes.IndexByte(data, l.end); n >= 0 {
			line, data = data[:n], data[n+1:]
		} else {
			data = nil
		}
		l.line++
		if l.end == '\n' {
			line = bytes.TrimSuffix(line, []byte("\r"))
		}
		if l.paths.lines || !blank(line) {
			b.Records = append(b.Records, Record{Raw: line, Line: l.line})
		}
	}
}

func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
