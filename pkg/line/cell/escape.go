// Package cell reads and writes the values in the columns of a line. A value is a byte string
// (escaped for a column or for JSON), a number that may be missing (see [Number]), or a comparison
// with a limit (see [Bound]).
package cell

import (
	"bytes"
	"encoding/binary"
)

// escapes maps each byte that must be escaped to the letter after the backslash.
var escapes = [256]byte{'\t': 't', '\n': 'n', '\r': 'r', '\\': '\\'}

// AppendEscaped appends a value to dst, escaped for a column.
func AppendEscaped(dst, value []byte) []byte {
	for _, c := range value {
		if e := escapes[c]; e != 0 {
			dst = append(dst, '\\', e)
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// Plain reports whether v has no backslash and no byte less than 0x20. It checks eight bytes at a
// time; the last eight bytes may overlap the eight bytes before. For n up to 128,
// (x-n*ones)&^x&highs is nonzero if, and only if, some byte of x is less than n.
func Plain(v []byte) bool {
	if len(v) < 8 {
		for _, c := range v {
			if c < ' ' || c == '\\' {
				return false
			}
		}
		return true
	}
	var found uint64
	for n := 0; n+8 < len(v); n += 8 {
		found |= special(binary.LittleEndian.Uint64(v[n:]))
	}
	return (found|special(binary.LittleEndian.Uint64(v[len(v)-8:])))&highs == 0
}

func special(x uint64) uint64 {
	backslash := x ^ '\\'*ones
	return (x-' '*ones)&^x | (backslash-ones)&^backslash
}

// Unescape returns the unescaped value of a column: the column itself if nothing is
// escaped, otherwise new memory. It keeps a backslash that does not begin a valid escape.
func Unescape(column []byte) []byte {
	n := bytes.IndexByte(column, '\\')
	if n < 0 {
		return column
	}
	value := make([]byte, 0, len(column))
	for ; n >= 0 && n+1 < len(column); n = bytes.IndexByte(column, '\\') {
		value = append(value, column[:n]...)
		switch letter := column[n+1]; letter {
		case 't':
			value = append(value, '\t')
		case 'n':
			value = append(value, '\n')
		case 'r':
			value = append(value, '\r')
		case '\\':
			value = append(value, '\\')
		default:
			value = append(value, '\\', letter)
		}
		column = column[n+2:]
	}
	return append(value, column...)
}
