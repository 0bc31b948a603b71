// Package seal lets a reader see whether a file of lines is the file that was written. A
// seal is one line at the start of the file. It holds the number of lines and bytes after
// it, the sum of the XXH64 of each line, modulo 2^64, and the XXH64 of these XXH64, eight bytes
// each, little-endian, followed by the seal up to "xxh64":
//
//	#doppel sealed lines=000000000000002 bytes=000000000000038 sum=… xxh64=…
//
// In a file of JSON lines it is an object, so that programs that parse every line go on:
//
//	{"#doppel":"sealed lines=… bytes=… sum=… xxh64=…"}
//
// The numbers come first, not last, so that a missing tail is missed. All seals have one
// length, so that the numbers can be filled in when they are known. A seal says how many
// bytes it covers, so files may be joined by cat(1), sealed or not, and lines may be
// appended. The sum does not depend on the order of the lines, so that it holds for what
// sort(1) makes of sealed files.
package seal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
)

// What a seal begins with.
const (
	mark   = "#doppel sealed "
	object = `{"#doppel":"sealed `
)

// A Form is how a file writes lines.
type Form struct {
	JSON bool // as objects
	Null bool // with NUL at their ends
}

// mostBytes is the largest number that fits into its place.
const mostBytes = 1e15 - 1

// A content is what a seal says of the lines after it.
type content struct {
	lines, bytes int64
	sum          uint64 // of the XXH64 of each line
	xxh64        uint64 // of those, in their order, and of the numbers before
}

func (f Form) begin() string {
	if f.JSON {
		return object
	}
	return mark
}

// end returns what ends a line.
func (f Form) end() byte {
	if f.Null {
		return 0
	}
	return '\n'
}

// numbers returns the seal up to the number that covers the others.
func (f Form) numbers(c content) []byte {
	return fmt.Appendf(nil, "%slines=%015d bytes=%015d sum=%016x ", f.begin(), c.lines, c.bytes, c.sum)
}

// line returns the seal.
func (f Form) line(c content) []byte {
	end := ""
	if f.JSON {
		end = `"}`
	}
	return fmt.Appendf(f.numbers(c), "xxh64=%016x%s%c", c.xxh64, end, f.end())
}

// Draft returns a line as long as the seal, for its place.
func (f Form) Draft() []byte { return f.line(content{}) }

// parse parses the seal that text begins with.
func parse(text []byte) (c content, f Form, ok bool) {
	f.JSON = len(text) > 0 && text[0] == '{'
	n := len(f.Draft())
	if len(text) < n {
		return c, f, false
	}
	f.Null = text[n-1] == 0
	if !bytes.HasPrefix(text, []byte(f.begin())) {
		return c, f, false
	}
	fmt.Sscanf(string(text[len(f.begin()):n]), "lines=%d bytes=%d sum=%x xxh64=%x", &c.lines, &c.bytes, &c.sum, &c.xxh64)
	return c, f, c.lines >= 0 && c.bytes >= 0 && bytes.Equal(text[:n], f.line(c)) // in this very form
}

// A Writer counts the lines that it passes on.
type Writer struct {
	w    io.Writer
	form Form
	sums lineSums
}

// NewWriter returns a writer to w, which writes what follows the seal.
func NewWriter(w io.Writer, f Form) *Writer {
	return &Writer{w: w, form: f, sums: newLineSums(f)}
}

func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.sums.add(p[:n])
	return n, err
}

// Seal returns the seal of all that was written.
func (w *Writer) Seal() ([]byte, error) {
	c := w.sums.content(w.form)
	if c.bytes > mostBytes {
		return nil, fmt.Errorf("%d bytes: more than a seal can say", c.bytes)
	}
	return w.form.line(c), nil
}

// lineSums are the hashes of lines.
type lineSums struct {
	end   byte
	done  content
	order *xxhash.Digest // of the hashes
	part  *xxhash.Digest // of a line that has begun, or nil
	hash  [8]byte
}

func newLineSums(f Form) lineSums { return lineSums{end: f.end(), order: xxhash.New()} }

// add adds bytes, which may end inside a line.
func (l *lineSums) add(p []byte) {
	l.done.bytes += int64(len(p))
	for len(p) > 0 {
		n := bytes.IndexByte(p, l.end) + 1
		switch {
		case n > 0 && l.part == nil:
			l.line(xxhash.Sum64(p[:n]))
		case n > 0:
			l.part.Write(p[:n])
			l.endPart()
		default:
			if n = len(p); l.part == nil {
				l.part = xxhash.New()
			}
			l.part.Write(p)
		}
		p = p[n:]
	}
}

func (l *lineSums) endPart() {
	l.line(l.part.Sum64())
	l.part = nil
}

// line adds the hash of a line.
func (l *lineSums) line(hash uint64) {
	l.done.lines++
	l.done.sum += hash
	binary.LittleEndian.PutUint64(l.hash[:], hash)
	l.order.Write(l.hash[:])
}

// content returns what a seal says of all that was added. Nothing is added afterwards.
func (l *lineSums) content(f Form) content {
	if l.part != nil {
		l.endPart() // the last line lacks its end
	}
	l.order.Write(f.numbers(l.done))
	l.done.xxh64 = l.order.Sum64()
	return l.done
}
