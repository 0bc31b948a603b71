package jsonscan

import "bytes"

// BeginsObject reports whether the first line of a stream is an object or the beginning of one.
func BeginsObject(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, utf8Mark), " \t\r\n")
	first, _, _ := bytes.Cut(data, []byte{'\n'})
	if len(first) == 0 || first[0] != '{' {
		return false
	}
	s := Scanner{data: first}
	i := s.skipSpace(1)
	return i < len(first) && (s.skipValue(0, nil, 0) >= 0 || first[i] == '"' && s.at == len(first))
}

var utf8Mark = []byte("\xef\xbb\xbf")

// A Layout says how JSON values are divided into lines.
type Layout byte

// The layouts.
const (
	OneByLine   Layout = iota // lines of any kind
	ObjectArray               // one array of objects
	OtherArray                // one array of other values
	OverSeveral               // objects over several lines each
)

// LayoutOf returns the layout of a stream of lines. The data is the beginning of the stream, or the
// whole stream if the last argument is true.
func LayoutOf(data []byte, all bool) Layout {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, utf8Mark), " \t\r\n")
	if len(data) == 0 || data[0] != '[' && data[0] != '{' {
		return OneByLine
	}
	s := Scanner{data: data}
	end := s.skipValue(0, nil, 0)
	line := bytes.IndexByte(data, '\n')
	switch {
	case end >= 0 && (line < 0 || end <= line): // the first line begins with a complete value
		if data[0] != '[' || !all || len(bytes.TrimSpace(data[end:])) > 0 {
			return OneByLine
		}
	case end < 0 && line < 0: // data has no newline: a long line, or a truncated one
		if data[0] != '[' || s.at < len(data) {
			return OneByLine
		}
	case end < 0 && s.at <= line+1+len(data[line+1:])-len(bytes.TrimLeft(data[line+1:], " \t\r\n")):
		return OneByLine // the second line does not continue the value of the first
	}
	if data[0] == '{' {
		return OverSeveral
	}
	if first := bytes.TrimLeft(data[1:], " \t\r\n"); len(first) > 0 && first[0] != '{' && first[0] != ']' {
		return OtherArray
	}
	return ObjectArray
}
