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
	at    int64  // bytes of them
	end   byte   // of a line: LF or NUL
	eof   bool
	start bool // nothing was read yet: a byte order mark may come

	judged bool // the first bytes are of lines
	json   bool // each line is to be JSON
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
		if l.json {
			b.decode = l.paths.decodeJSON
		}
		b.size = int64(len(b.data))
		b.lines, b.at = l.s.file, l.at
		l.at += b.size
		if l.split(b); len(b.Records) > 0 {
			return nil
		}
	}
	return io.EOF
}

// fill reads whole lines into b.data and leaves the rest in l.carry.
func (l *lineSource) fill(b *Batch) error {
	data := append(slices.Grow(b.data[:0], blockSize), l.carry...)
	l.carry = l.carry[:0]
	var before pieces
	for {
		searched := len(data)
		if int64(before.size+searched) > l.paths.most {
			return placed(&longError{l.paths.most}, l.s.Name, l.line+1)
		}
		err := readBlock(l.s, &data, l.paths.most)
		if l.eof = err == io.EOF; err != nil && !l.eof {
			return placed(err, l.s.Name, l.line+1)
		}
		if err := l.judge(data); err != nil {
			return err
		}
		n := bytes.LastIndexByte(data[searched:], l.end) + 1 + searched
		switch {
		case l.eof:
			n = len(data)
		case n == searched && len(data) >= pieceBytes:
			data = before.add(data)
			continue
		case n == searched:
			continue
		}
		l.carry = append(l.carry, data[n:]...)
		b.data = before.join(data[:n])
		return nil
	}
}

// judge refuses what begins as no lines do.
func (l *lineSource) judge(data []byte) error {
	if !l.start || l.judged || l.paths.lines {
		return nil
	}
	l.judged, l.json = true, !l.paths.torn && jsonLines(l.s.Name, data)
	if err := notText(l.s.Name, l.s.packed(), data); err != nil {
		return err
	}
	return notLines(l.s.Name, data, len(data) < blockSize)
}

// readBlock appends to data what can be read of a block: as many short lines as a
// long one has bytes would be a batch of gigabytes. It makes room for a record of
// at most that many bytes.
func readBlock(r io.Reader, data *[]byte, most int64) error {
	d := *data
	if int64(len(d)) > most {
		return &longError{most}
	}
	if len(d) == cap(d) {
		d = append(make([]byte, 0, len(d)+len(d)/4+blockSize), d...)
	}
	n, err := io.ReadFull(r, d[len(d):min(cap(d), len(d)+blockSize)])
	*data = d[:len(d)+n]
	if err == io.ErrUnexpectedEOF { // after which the next call meets the end
		err = nil
	}
	return err
}

// split makes a record of each line; blank lines are none, except where the
// line itself is the text.
func (l *lineSource) split(b *Batch) {
	data := b.data
	if l.start {
		data = bytes.TrimPrefix(data, utf8Mark)
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
			if int64(len(line)) > l.paths.most {
				b.Records[len(b.Records)-1].Err = &longError{l.paths.most}
			}
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
