// Package tsv writes and reads the lines that flow between the tools.
//
// A line is columns with a TAB between them. In a column TAB, LF, CR and
// backslash are written \t \n \r \\; all other bytes pass. Each stream is a
// [Stream] here and a page in section 5 of the manual. The same columns are
// written as JSON objects under --json.
package tsv

import (
	"bytes"
	"fmt"
)

// A Stream names the columns of a kind of line.
type Stream []string

// The streams.
var (
	Signatures = Stream{"id", "scheme", "signature"}
	Keys       = Stream{"key", "id"}
	Pairs      = Stream{"a", "b"}
	Counted    = Stream{"a", "b", "shared"}
	Common     = Stream{"key", "records", "example"}
	Scored     = Stream{"a", "b", "score", "containment_a", "containment_b", "size_a", "size_b"}
	Estimated  = Stream{"a", "b", "score"}
	Distances  = Stream{"a", "b", "score", "distance"}
	Matches    = Stream{"1.filename", "2.filename", "1.startOffset", "1.endOffset", "2.startOffset", "2.endOffset", "text", "size"}
	Sampled    = Stream{"a", "b", "score", "containment_a", "containment_b", "size_a", "size_b", "shared", "low", "high"}
	Decisions  = Stream{"verdict", "id", "kept", "score", "reason"}
	Sums       = Stream{"sum", "id", "kind", "words"}   // the last two in JSON only
	Hashes     = Stream{"hash", "size", "name"}         // of blockhash; JSON has more
	Marked     = Stream{"hash", "size", "file", "name"} // with a column that names of one file share
	Groups     = Stream{"group", "size", "wasted", "name"}
)

// None stands for a value that a line does not have.
const None = "-"

// escapes holds the letter behind the backslash for each byte that needs one.
var escapes = [256]byte{'\t': 't', '\n': 'n', '\r': 'r', '\\': '\\'}

// AppendEscaped appends a column's value, escaped.
func AppendEscaped(dst, value []byte) []byte {
	for {
		n := bytes.IndexAny(value, "\t\n\r\\")
		if n < 0 {
			return append(dst, value...)
		}
		dst = append(append(dst, value[:n]...), '\\', escapes[value[n]])
		value = value[n+1:]
	}
}

// Unescape returns the value of a column as it was before it was written. It
// returns the column itself where nothing is escaped, else new memory.
func Unescape(column []byte) []byte {
	n := bytes.IndexByte(column, '\\')
	if n < 0 {
		return column
	}
	value := make([]byte, 0, len(column))
	for ; n >= 0 && n+1 < len(column); n = bytes.IndexByte(column, '\\') {
		value = append(append(value, column[:n]...), unescaped(column[n+1])...)
		column = column[n+2:]
	}
	return append(value, column...)
}

func unescaped(c byte) string {
	switch c {
	case 't':
		return "\t"
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case '\\':
		return "\\"
	}
	return "\\" + string(rune(c))
}

// Split appends the columns of a line, still escaped, to dst.
func Split(dst [][]byte, line []byte) [][]byte {
	for {
		n := bytes.IndexByte(line, '\t')
		if n < 0 {
			return append(dst, line)
		}
		dst = append(dst, line[:n])
		line = line[n+1:]
	}
}

// Columns splits a line that must have at least as many columns as the
// stream, and returns those it has.
func (s Stream) Columns(dst [][]byte, line []byte) ([][]byte, error) {
	dst = Split(dst[:0], line)
	if len(dst) < len(s) {
		return nil, fmt.Errorf("want the columns %s, found %d of %d", s, len(dst), len(s))
	}
	return dst, nil
}

func (s Stream) String() string {
	var b []byte
	for i, name := range s {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, name...)
	}
	return string(b)
}
