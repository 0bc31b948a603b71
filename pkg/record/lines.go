package record

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"doppel/pkg/msg"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/jsonscan"
)

// blockSize is the number of bytes read for one batch. It is large enough that passing batches
// between goroutines is cheap, and small enough that a batch fits in the L2 cache.
const blockSize = 1 << 18

// manyRecords is the number of lines in a block above which smaller blocks are read, because a short
// line needs much less memory than its record.
const manyRecords = 1 << 14

// sampleSize is the number of bytes by which the reader estimates the number of lines in a block.
const sampleSize = 1 << 12

// A lineSource divides a stream into pieces, which Batch.load cuts into lines.
type lineSource struct {
	*Stream
	r      *Reader
	paths  *paths
	input  int   // index in Reader.inputs
	end    byte  // the byte that ends a line: LF or NUL
	read   int64 // number of bytes in the pieces so far
	block  int   // number of bytes in the next piece
	sample [sampleSize]byte
	eof    bool
	closed bool

	judged bool // the first bytes have been checked for other formats
	json   bool // each line must be JSON
	values bool // the lines are values that a rewriter found
}

// Next makes b cover the next piece of the stream: about one block. Unless Batch.load can read the
// piece as a range, Next reads it.
func (l *lineSource) Next(b *Batch) error {
	if l.eof {
		return io.EOF
	}
	b.Reset(0, nil)
	p := piece{source: l, first: l.read == 0, size: l.block}
	if l.ranges != nil && l.read > 0 {
		l.count(-l.discard())
		n, _ := l.ranges.ReadAt(l.sample[:], l.read) // Batch.load reports the error
		l.setBlock(l.sample[:n])
		if p.size = l.block; l.read+int64(p.size) <= l.ranges.Size() {
			p.ranges = l.ranges
		} else if err := l.ranges.Skip(l.read); err != nil {
			return l.nameError(err)
		} else {
			l.ranges = nil // Read reads the rest, and what was added to the file meanwhile
		}
	}
	if p.ranges == nil {
		if err := l.readBlock(b); err != nil {
			return err
		}
		p.size = len(b.data)
		l.setBlock(b.data[max(0, len(b.data)-sampleSize):])
	}
	switch {
	case l.values:
		b.decode = l.paths.decodeValues
	case l.json || l.paths.check != nil && !l.paths.lines:
		b.decode = l.paths.decodeJSON
	default:
		b.decode = l.paths.decode
	}
	p.last = l.eof
	b.piece, b.size, b.lines, b.at = l.r.link(p), int64(p.size), l.file, l.read
	l.read += int64(p.size)
	return nil
}

// setBlock sets the number of bytes in the next piece by a sample of the text.
func (l *lineSource) setBlock(sample []byte) {
	l.block = l.r.block
	for n := bytes.Count(sample, []byte{l.end}) * l.block / max(len(sample), 1); n > manyRecords; n /= 2 {
		l.block /= 2
	}
}

// Close closes the stream, unless it is closed.
func (l *lineSource) Close() error {
	if l.closed {
		return nil
	}
	l.closed = true
	return l.Stream.Close()
}

// count adds bytes that Read does not return to the meter.
func (l *lineSource) count(n int64) {
	if m := l.r.in.Meter; m != nil {
		m.read.Add(n)
	}
}

// readBlock reads the next block of the stream into b. It rejects a stream that begins like another
// format.
func (l *lineSource) readBlock(b *Batch) error {
	for {
		b.data = slices.Grow(b.data[:0], l.block)[:l.block]
		n, err := io.ReadFull(l.Stream, b.data)
		b.data = b.data[:n]
		if l.eof = err == io.EOF || err == io.ErrUnexpectedEOF; err != nil && !l.eof {
			return err
		}
		if l.read == 0 && l.paths.lines && l.end == '\n' && wideLines(b.data) {
			return msg.WithHint(fmt.Errorf("%s: lines in UTF-16", l.Name), "--encoding utf-16 reads them")
		}
		if l.judged || l.paths.lines {
			return nil
		}
		w, err := l.judge(b.data)
		if w == nil || err != nil {
			return err
		}
		if err := l.rewrite(bytes.TrimPrefix(b.data, utf8Mark), w); err != nil {
			return err
		}
		b.data = nil
	}
}

// judge rejects other formats than lines by the first bytes of a stream. It returns a rewriter if the
// stream does not have one value per line.
func (l *lineSource) judge(data []byte) (*rewriter, error) {
	l.judged, l.json = true, !l.paths.torn && (dataform.KindOf(l.Name).Lines || jsonscan.BeginsObject(data))
	if err := notText(l.Name, l.Packed(), data); err != nil {
		return nil, err
	}
	if err := notParquet(l.Name, l.Packed(), data); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(rewriters, func(w rewriter) bool { return w.begins(data, l.eof) }); i >= 0 {
		return &rewriters[i], nil
	}
	return nil, nil
}

// rewrite makes the source read the values of a stream as JSON lines. data is the part of the stream
// that has been read.
func (l *lineSource) rewrite(data []byte, w *rewriter) error {
	if w.lines == nil {
		return msg.WithHint(fmt.Errorf("%s: %s", l.Name, w.fault), "want objects; convert the input: jq -c '.[]'%s", shellName(l.Name))
	}
	l.Stream.r = w.lines(io.MultiReader(bytes.NewReader(data), l.Stream.r))
	l.file, l.ranges, l.values, l.eof, l.block = nil, nil, true, false, l.r.block
	return nil
}

// loneCR reports whether a whole file has lines that end in CR, and no LF.
func loneCR(data []byte) bool {
	n := bytes.IndexByte(data, '\r')
	return n >= 0 && n < len(data)-1 && bytes.IndexByte(data, '\n') < 0
}

// readBlock reads at most one block and appends it to data, even if data has more capacity. Without
// this limit, the batch after a line of several gigabytes would reuse the memory of that line, and
// fill it with short lines.
func readBlock(r io.Reader, data *[]byte) error {
	d := *data
	if len(d) == cap(d) {
		d = append(make([]byte, 0, len(d)+len(d)/4+blockSize), d...)
	}
	n, err := io.ReadFull(r, d[len(d):min(cap(d), len(d)+blockSize)])
	*data = d[:len(d)+n]
	if err == io.ErrUnexpectedEOF { // the next call returns io.EOF
		err = nil
	}
	return err
}

func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// uncounted is the number of bytes of a line or a row that are not part of the record: those of a byte
// order mark, and the CR before the line end.
const uncounted = 4

// TooLong returns the error for a record that exceeds the maximum size. The record is left out if its
// end is found within Reader.longest bytes. Otherwise the error ends the run, because the end may
// never come. Which of the two happens does not depend on where the blocks end.
func TooLong(most int64) error {
	return msg.WithHint(fmt.Errorf("record of more than %d bytes", most), "--max-record sets the limit")
}

// Shrink frees the batch's memory if a long record made it grow. The records are invalid
// afterwards.
func (b *Batch) Shrink() {
	b.release()
	if cap(b.data)+cap(b.head)+cap(b.arena) > keptBytes {
		*b = Batch{}
	}
}
