package record

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"doppel/pkg/msg"
	"doppel/pkg/record/dataform"
	"doppel/pkg/record/jsonscan"
)

// blockSize is the number of bytes read for one batch. It is large enough that passing batches
// between goroutines is cheap, and small enough that a batch fits in the L2 cache.
const blockSize = 1 << 18

// manyRecords is the number of records in a batch above which the next batches are read in smaller
// blocks, because a short line needs much less memory than its record.
const manyRecords = 1 << 14

// A lineSource cuts a stream into batches of whole lines.
type lineSource struct {
	*Stream
	paths *paths
	carry []byte // the unfinished line at the end of the last block
	line  int64  // lines read so far
	at    int64  // offset of the next line, in bytes
	end   byte   // the byte that ends a line: LF or NUL
	ended bool   // a last line without a line end is an error
	cut   bool   // the last line has no line end
	block int    // number of bytes to read for the next batch; 0 means blockSize
	eof   bool
	start bool // nothing has been read yet, so a byte order mark may come first

	judged bool // the first bytes have been checked for other formats
	json   bool // each line must be JSON
	values bool // the lines are values that a rewriter found
}

// Next fills b with the next whole lines: about one block of input, or one longer line.
func (l *lineSource) Next(b *Batch) error {
	for !l.eof {
		b.Reset(0, l.paths.decode)
		if err := l.readLines(b); err != nil {
			return err
		}
		switch {
		case l.values:
			b.decode = l.paths.decodeValues
		case l.json || l.paths.check != nil && !l.paths.lines:
			b.decode = l.paths.decodeJSON
		}
		b.size = int64(len(b.data))
		b.lines, b.at = l.file, l.at
		l.at += b.size
		l.split(b)
		if len(b.Records) > manyRecords {
			l.block = cmp.Or(l.block, blockSize) / 2
		}
		if len(b.Records) > 0 {
			return nil
		}
	}
	if l.ended && l.cut {
		return msg.WithHint(fmt.Errorf("%s:%d: the last line has no line end: the list may be cut short", l.Name, l.line), "if the line is complete, add a line end")
	}
	return io.EOF
}

// readLines reads whole lines into b.data, and keeps an incomplete last line in l.carry for the
// next call.
func (l *lineSource) readLines(b *Batch) error {
	size := cmp.Or(l.block, blockSize)
	data := append(slices.Grow(b.data[:0], size)[:0:size], l.carry...)
	l.carry = l.carry[:0]
	var before pieces
	for {
		searched := len(data)
		if int64(before.size+searched) > l.paths.most {
			return &SyntaxError{l.Name, l.line + 1, tooLong(l.paths.most)}
		}
		err := readBlock(l, &data)
		if l.eof = err == io.EOF; err != nil && !l.eof {
			return err
		}
		if l.start && !l.judged && !l.paths.lines { // reject other formats by their first bytes
			l.judged, l.json = true, !l.paths.torn && (dataform.KindOf(l.Name).Lines || jsonscan.BeginsObject(data))
			err := notParquet(l.Name, l.Packed(), data)
			if e := notText(l.Name, l.Packed(), data); e != nil {
				err = e
			}
			if err == nil {
				if i := slices.IndexFunc(rewriters, func(w rewriter) bool { return w.begins(data, len(data) < blockSize) }); i >= 0 {
					if err = l.rewrite(bytes.TrimPrefix(data, utf8Mark), &rewriters[i]); err == nil {
						data = make([]byte, 0, blockSize)
						continue
					}
				}
			}
			if err != nil {
				return err
			}
		}
		if l.start && l.paths.lines && l.end == '\n' && wideLines(data) {
			return msg.WithHint(fmt.Errorf("%s: lines in UTF-16", l.Name), "--encoding utf-16 reads them")
		}
		n := bytes.LastIndexByte(data[searched:], l.end) + 1 + searched
		switch {
		case l.eof:
			if l.end == '\n' && l.line == 0 && before.size == 0 && loneCR(data) {
				return errLoneCR(l.Name)
			}
			l.cut = before.size+len(data) > 0
			n = len(data)
		case n == searched && len(data) >= pieceBytes:
			before.all, before.size = append(before.all, data), before.size+len(data)
			data = make([]byte, 0, pieceBytes+blockSize)
			continue
		case n == searched:
			continue
		}
		l.carry = append(l.carry, data[n:]...)
		b.data = before.join(data[:n])
		return nil
	}
}

// rewrite makes the source read the values of a stream as JSON lines. data is the part of the stream
// that has been read.
func (l *lineSource) rewrite(data []byte, w *rewriter) error {
	if w.lines == nil {
		return msg.WithHint(fmt.Errorf("%s: %s", l.Name, w.fault), "want objects; convert the input: jq -c '.[]'%s", shellName(l.Name))
	}
	l.Stream.r = w.lines(io.MultiReader(bytes.NewReader(data), l.Stream.r))
	l.file, l.values, l.eof = nil, true, false
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

// split appends a record for each line to the batch. It skips blank lines, unless the reader
// reads plain lines or file names.
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
				b.Records[len(b.Records)-1].Err = tooLong(l.paths.most)
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

// tooLong returns the error for a record that exceeds the maximum size.
func tooLong(most int64) error {
	return msg.WithHint(fmt.Errorf("record of more than %d bytes", most), "--max-record sets the limit")
}

// Reading a long line takes at most twice the memory of the line. readLines reads it in pieces, and
// join copies the pieces into one array of the exact length. Growing one array by copying, which
// csvSource does for a long row, would leave all smaller copies as garbage. join returns the memory
// of the pieces to the system immediately. Otherwise the garbage collector would let the heap grow
// in proportion to live memory, which is mostly this record.

const (
	pieceBytes = 1 << 20  // size of a piece; readLines reads a longer record in pieces
	keptBytes  = 4 << 20  // memory that a batch may keep for the next records
	givenBytes = 16 << 20 // minimum record size for which join returns memory to the system
)

// pieces holds the beginning of a long record.
type pieces struct {
	all  [][]byte
	size int
}

// join returns the bytes of all pieces, followed by those of the argument, as one slice, and
// empties p. If there are no pieces, it returns the argument itself.
func (p *pieces) join(last []byte) []byte {
	if p.size == 0 {
		return last
	}
	size := p.size + len(last)
	if size >= givenBytes {
		debug.FreeOSMemory() // free the memory of the previous record
	}
	whole := make([]byte, 0, size)
	for _, piece := range p.all {
		whole = append(whole, piece...)
	}
	whole = append(whole, last...)
	*p = pieces{}
	if size >= givenBytes {
		debug.FreeOSMemory()
	}
	return whole
}

// Shrink frees the batch's memory if a long record made it grow. The records are invalid
// afterwards.
func (b *Batch) Shrink() {
	b.release()
	if cap(b.data)+cap(b.arena) > keptBytes {
		*b = Batch{}
	}
}
