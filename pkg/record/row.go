package record

import "bytes"

// A rowScanner finds the ends of CSV rows. When the caller has appended data, the scanner resumes
// where it stopped, so each byte is examined once.
type rowScanner struct {
	comma byte
	at    int
	state rowState
}

// A rowState is the scanner's position in a row.
type rowState byte

const (
	before rowState = iota // at the first byte of a field
	bare                   // in an unquoted field, or after a closing quote
	quoted
	closing // after a quote in a quoted field
)

// next returns the position after the LF of the current row, or -1 if data does not contain that
// LF.
func (s *rowScanner) next(data []byte) int {
	for s.at < len(data) {
		c := data[s.at]
		switch {
		case s.state == quoted:
			n := bytes.IndexByte(data[s.at:], '"')
			if n < 0 {
				s.at = len(data)
				return -1
			}
			s.at, s.state = s.at+n, closing
		case c == '"' && s.state == before, c == '"' && s.state == closing:
			s.state = quoted
		case c == s.comma || c == '\n':
			s.state = before
		default:
			s.state = bare
		}
		if s.at++; c == '\n' && s.state == before {
			return s.at
		}
	}
	return -1
}

// eachField calls fn with each field of a row, including its quotes.
func eachField(row []byte, comma byte, fn func(i int, field []byte)) {
	row = bytes.TrimSuffix(row, []byte("\r"))
	for i, start := 0, 0; start <= len(row); i++ {
		end := start
		for end < len(row) && row[end] == '"' { // a quoted field continues after a doubled quote
			if n := bytes.IndexByte(row[end+1:], '"'); n >= 0 {
				end += n + 2
			} else {
				end = len(row)
			}
		}
		if n := bytes.IndexByte(row[end:], comma); n >= 0 {
			end += n
		} else {
			end = len(row)
		}
		fn(i, row[start:end])
		start = end + 1
	}
}

// unquoted appends the value of a field to dst, without the quotes around it. Each doubled quote
// inside the field becomes one quote.
func unquoted(dst, field []byte) []byte {
	if len(field) == 0 || field[0] != '"' {
		return append(dst, field...)
	}
	for field = field[1:]; ; {
		n := bytes.IndexByte(field, '"')
		if n < 0 {
			return append(dst, field...)
		}
		dst = append(dst, field[:n]...)
		if n+1 == len(field) || field[n+1] != '"' {
			return append(dst, field[n+1:]...)
		}
		dst, field = append(dst, '"'), field[n+2:]
	}
}
