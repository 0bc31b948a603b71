package record

import (
	"bytes"
	"cmp"
	"fmt"
	"runtime/debug"
	"slices"

	"doppel/pkg/files"
	"doppel/pkg/msg"
)

// A piece is a part of a stream of lines. A line belongs to the piece in which it ends. The
// goroutine that loads a piece finds its lines. Then it waits for the border before the piece,
// which has the beginning of the first line, and the numbers of lines and records so far. It sets
// the border after the piece before it decodes the records, so no goroutine waits long.
type piece struct {
	source        *lineSource  // nil if nothing is to be loaded
	ranges        files.Ranges // the file that load reads the piece from; nil if it has been read
	size          int          // number of bytes
	first, last   bool         // the stream begins or ends with the piece
	before, after *border
}

// A border is the position where a piece ends and the next one, maybe of the next stream, begins.
type border struct {
	set     chan struct{} // has a value if the other fields are set
	ordinal int64         // number of records before the border, in all inputs
	records int64         // number of records before it in the stream
	line    int64         // number of lines before it in the stream
	begun   begunLine     // the line that begins before the border and ends after it
	at      int64         // offset of that line, in bytes
	unended bool          // the stream ends here, without a line end
	err     error         // a failure to read the records before the border
}

// link sets the borders of the next piece.
func (r *Reader) link(p piece) piece {
	p.before = r.lastBorder()
	select {
	case p.after = <-r.spare:
	default:
		p.after = &border{set: make(chan struct{}, 1)}
	}
	r.end = p.after
	return p
}

// lastBorder returns the end of the last piece. At the beginning, it is set.
func (r *Reader) lastBorder() *border {
	if r.end == nil {
		r.end, r.spare = &border{set: make(chan struct{}, 1)}, make(chan *border, 8)
		r.end.set <- struct{}{}
	}
	return r.end
}

// keep keeps a border that is no longer needed, for reuse.
func (r *Reader) keep(t *border) {
	t.begun.clear()
	*t = border{set: t.set, begun: t.begun}
	select {
	case r.spare <- t:
	default:
	}
}

// settle waits until all pieces are loaded, and sets r.ordinal. It returns the error of a piece.
func (r *Reader) settle() error {
	t := r.lastBorder()
	<-t.set
	r.ordinal = t.ordinal
	t.set <- struct{}{}
	return t.err
}

// load cuts the piece of the batch into records. If that fails, it sets b.Cut, and there are no
// records. The other goroutines may load the pieces before it and after it.
func (b *Batch) load() {
	p, l := b.piece, b.piece.source
	if l == nil {
		return
	}
	b.piece = piece{}
	err := l.readRange(b, &p)
	b.Records = append(b.Records[:0], Record{}) // for the first line, which may have begun earlier
	first, rest, lines := bytes.IndexByte(b.data, l.end), b.data, int64(0)
	for n := first; n >= 0; n = bytes.IndexByte(rest, l.end) {
		if lines++; lines > 1 {
			l.addLine(b, rest[:n], lines)
		}
		rest = rest[n+1:]
	}
	from, to := p.before, p.after
	<-from.set
	if p.first {
		l.r.beginInput(from, l.input)
	}
	if err == nil {
		err = from.err
	}
	if err == nil && int64(from.begun.size) > l.r.longest+uncounted {
		err = &SyntaxError{l.Name, from.line + 1, TooLong(l.paths.most)}
	}
	if err == nil {
		lines, err = l.joinEnds(b, &p, b.data[:max(first, 0)], rest, lines)
	}
	if err != nil {
		b.Records = b.Records[:0]
	}
	b.number(from)
	n := int64(len(b.Records))
	to.ordinal, to.records, to.line = from.ordinal+n, from.records+n, from.line+lines
	if p.last {
		err = cmp.Or(err, l.finish(to))
	}
	b.Cut, to.err = err, err
	to.set <- struct{}{}
	l.r.keep(from)
}

// finish closes the stream, which ends at the given border.
func (l *lineSource) finish(t *border) error {
	err := l.Close()
	if l.r.opt.Ended && t.unended {
		err = msg.WithHint(fmt.Errorf("%s:%d: the last line has no line end: the list may be cut short", l.Name, t.line), "if the line is complete, add a line end")
	}
	return err
}

// readRange reads a piece that is a range of a file.
func (l *lineSource) readRange(b *Batch, p *piece) error {
	if p.ranges == nil {
		return nil
	}
	b.data = slices.Grow(b.data[:0], p.size)[:p.size]
	n, err := p.ranges.ReadAt(b.data, b.at)
	b.data = b.data[:n]
	l.count(int64(n))
	if err != nil {
		err = l.nameError(err)
	}
	return err
}

// addLine adds the record of a line to b. It skips blank lines, unless the reader reads plain
// lines.
func (l *lineSource) addLine(b *Batch, line []byte, number int64) {
	line = trimCR(line, l.end)
	if !l.paths.lines && blank(line) {
		return
	}
	b.Records = append(b.Records, Record{Raw: line, Line: number})
	if int64(len(line)) > l.paths.most {
		b.Records[len(b.Records)-1].Err = TooLong(l.paths.most)
	}
}

// trimCR returns a line without the CR before its end, which is LF or NUL.
func trimCR(line []byte, end byte) []byte {
	if n := len(line) - 1; end == '\n' && n >= 0 && line[n] == '\r' {
		return line[:n]
	}
	return line
}

// joinEnds completes the first line of a piece, which may have begun earlier, and passes on rest,
// the bytes after its last line end. At the end of the stream, rest is a line. joinEnds gets the
// number of line ends in the piece, and returns the number of lines.
func (l *lineSource) joinEnds(b *Batch, p *piece, first, rest []byte, lines int64) (int64, error) {
	from, to := p.before, p.after
	switch {
	case lines == 0 && !p.last:
		if to.at = from.at; from.begun.size == 0 {
			to.at = b.at
		}
		to.begun, from.begun = from.begun, to.begun
		to.begun.addBlock(b.data)
		b.data, b.Records = nil, b.Records[:0]
		return 0, nil
	case lines == 0:
		first, rest = rest, nil
	}
	to.unended = p.last && (len(rest) > 0 || lines == 0 && from.begun.size+len(first) > 0)
	line := from.begun.join(b, first)
	b.headAt = from.at
	if from.line == 0 {
		if lines == 0 && l.end == '\n' && len(line) <= pieceBytes && loneCR(line) {
			return 0, errLoneCR(l.Name)
		}
		line = bytes.TrimPrefix(line, utf8Mark)
	}
	if int64(len(trimCR(line, l.end))) > l.r.longest {
		return 0, &SyntaxError{l.Name, from.line + 1, TooLong(l.paths.most)}
	}
	if lines == 0 && len(line) > 0 {
		lines = 1
	}
	n := len(b.Records)
	if lines > 0 {
		l.addLine(b, line, 1)
	}
	if len(b.Records) > n {
		b.Records[0], b.Records = b.Records[n], b.Records[:n]
	} else {
		b.Records = slices.Delete(b.Records, 0, 1)
	}
	if !p.last {
		to.begun.set(rest)
		to.at = b.at + int64(len(b.data)-len(rest))
	} else if len(rest) > 0 {
		lines++
		l.addLine(b, rest, lines)
	}
	return lines, nil
}

// number sets the names, the ordinals and the lines of the records of b, which follow the border.
func (b *Batch) number(t *border) {
	b.first = t.records
	for i := range b.Records {
		rec := &b.Records[i]
		rec.Name, rec.Ordinal, rec.Line = b.name, t.ordinal+int64(i), rec.Line+t.line
	}
}

// Reading a long line takes at most twice the memory of the line. Its blocks are kept, and join
// copies them into one array of the exact length. Growing one array by copying, which csvSource
// does for a long row, would leave all smaller copies as garbage. join returns the memory of the
// blocks to the system immediately. Otherwise the garbage collector would let the heap grow in
// proportion to live memory, which is mostly this record.

const (
	pieceBytes = 1 << 20  // a longer line keeps no memory for the next ones
	keptBytes  = 4 << 20  // memory that a batch may keep for the next records
	givenBytes = 16 << 20 // minimum record size for which join returns memory to the system
)

// A begunLine is the beginning of a line.
type begunLine struct {
	start  []byte   // the end of a block
	blocks [][]byte // whole blocks that follow
	size   int      // number of bytes in all
}

// set makes start the beginning of a line.
func (g *begunLine) set(start []byte) {
	g.start, g.size = append(g.start[:0], start...), len(start)
}

// addBlock adds a block without a line end, whose memory is no longer used otherwise.
func (g *begunLine) addBlock(block []byte) {
	g.blocks, g.size = append(g.blocks, block), g.size+len(block)
}

func (g *begunLine) clear() {
	*g = begunLine{start: g.start[:0]}
	if cap(g.start) > pieceBytes {
		g.start = nil
	}
}

// join returns the line that ends with rest. If it began earlier, its memory is b.head.
func (g *begunLine) join(b *Batch, rest []byte) []byte {
	if g.size == 0 {
		return rest
	}
	size := g.size + len(rest)
	if size >= givenBytes {
		debug.FreeOSMemory() // free the memory of the previous record
	}
	if cap(b.head) < size {
		b.head = make([]byte, 0, size)
	}
	b.head = append(b.head[:0], g.start...)
	for _, block := range g.blocks {
		b.head = append(b.head, block...)
	}
	b.head = append(b.head, rest...)
	g.clear()
	if size >= givenBytes {
		debug.FreeOSMemory()
	}
	return b.head
}
