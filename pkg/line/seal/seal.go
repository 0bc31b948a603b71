// Package seal reads files of lines that earlier versions sealed. No seals are written now. A seal
// is one line at the start of the file. It contains the number of lines and the number of bytes
// after it, the sum of the XXH64 hashes of the lines, modulo 2^64, and a final XXH64 hash. The
// final hash is computed from the hashes of the lines, eight bytes each, little-endian, followed by
// the seal up to "xxh64". This is a seal:
//
//	#doppel sealed lines=000000000000002 bytes=000000000000038 sum=… xxh64=…
//
// In a file of JSON lines the seal is an object:
//
//	{"#doppel":"sealed lines=… bytes=… sum=… xxh64=…"}
//
// A seal covers a stated number of bytes, so cat(1) can join files with and without a seal, and a
// program can append lines. The sum does not depend on the order of the lines, so it remains valid
// after sort(1).
package seal

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// The start of a seal, in a file of columns and in a file of JSON lines.
const (
	mark   = "#doppel sealed "
	object = `{"#doppel":"sealed `
)

// A form is the format of the lines of a file.
type form struct {
	JSON bool // lines are JSON objects
	Null bool // lines end in NUL
}

// content holds the numbers that a seal states about the lines after it.
type content struct {
	lines, bytes int64
	sum          uint64 // sum of the XXH64 hashes of the lines
	xxh64        uint64 // XXH64 of the lines' hashes, in order, and of the text of sealNumbers
}

func (f form) sealStart() string {
	if f.JSON {
		return object
	}
	return mark
}

func (f form) lineEnd() byte {
	if f.Null {
		return 0
	}
	return '\n'
}

// sealNumbers returns the part of the seal before "xxh64=". The hash after "xxh64=" also covers
// this part.
func (f form) sealNumbers(c content) []byte {
	return fmt.Appendf(nil, "%slines=%015d bytes=%015d sum=%016x ", f.sealStart(), c.lines, c.bytes, c.sum)
}

func (f form) sealLine(c content) []byte {
	end := ""
	if f.JSON {
		end = `"}`
	}
	return fmt.Appendf(f.sealNumbers(c), "xxh64=%016x%s%c", c.xxh64, end, f.lineEnd())
}

// sealBytes returns the length of a seal of this form, which is the same for all numbers.
func (f form) sealBytes() int { return len(f.sealLine(content{})) }

// parseSeal parses the seal at the start of text.
func parseSeal(text []byte) (c content, f form, ok bool) {
	f.JSON = len(text) > 0 && text[0] == '{'
	n := f.sealBytes()
	if len(text) < n {
		return c, f, false
	}
	f.Null = text[n-1] == 0
	if !bytes.HasPrefix(text, []byte(f.sealStart())) {
		return c, f, false
	}
	fmt.Sscanf(string(text[len(f.sealStart()):n]), "lines=%d bytes=%d sum=%x xxh64=%x", &c.lines, &c.bytes, &c.sum, &c.xxh64)
	// The text must be exactly what sealLine returns for these numbers.
	return c, f, c.lines >= 0 && c.bytes >= 0 && bytes.Equal(text[:n], f.sealLine(c))
}

// Is reports whether text begins with a seal.
func Is(text []byte) bool {
	_, _, ok := parseSeal(text)
	return ok
}

// lineSums computes the counts and hashes of lines.
type lineSums struct {
	end   byte
	done  content
	order *xxhash.Digest // hash of the lines' hashes
	part  *xxhash.Digest // hash of an incomplete line, or nil
	hash  [8]byte
}

func newLineSums(f form) lineSums { return lineSums{end: f.lineEnd(), order: xxhash.New()} }

// addBytes adds bytes to the counts and hashes; p may end within a line.
func (l *lineSums) addBytes(p []byte) {
	l.done.bytes += int64(len(p))
	for len(p) > 0 {
		n := bytes.IndexByte(p, l.end) + 1
		switch {
		case n > 0 && l.part == nil:
			l.addLine(xxhash.Sum64(p[:n]))
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
	l.addLine(l.part.Sum64())
	l.part = nil
}

func (l *lineSums) addLine(hash uint64) {
	l.done.lines++
	l.done.sum += hash
	binary.LittleEndian.PutUint64(l.hash[:], hash)
	l.order.Write(l.hash[:])
}

// content returns the numbers that the seal of all added bytes states. The caller must not add
// bytes afterwards.
func (l *lineSums) content(f form) content {
	if l.part != nil {
		l.endPart() // the last line has no line ending
	}
	l.order.Write(f.sealNumbers(l.done))
	l.done.xxh64 = l.order.Sum64()
	return l.done
}
