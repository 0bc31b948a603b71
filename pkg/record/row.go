package record

import (
	"bytes"
	"errors"
)

// A rowFormat says how the bytes of a table are divided into rows and fields.
type rowFormat struct {
	comma  byte // the separator
	quote  byte // 0 if no byte quotes fields
	inLine bool // a quoted field contains neither separators nor line ends, so each line is a row
}

// A rowScanner finds the ends of rows, counts their fields, and checks their quotes. When the caller
// has appended data, the scanner resumes where it stopped, so each byte is examined once.
type rowScanner struct {
	rowFormat
	at     int
	begun  bool // part of the current row has been examined
	state  rowState
	single bool  // the current field begins with a single quote
	fields int   // number of complete fields in the current row, or of all fields in a complete row
	fault  error // the first fault in the quotes of the current row
}

// A rowState is the scanner's position in a row.
type rowState byte

const (
	before  rowState = iota // at the first byte of a field
	spaces                  // after spaces at the beginning of a field
	bare                    // in an unquoted field
	inner                   // after a quote in an unquoted field
	escaped                 // after a backslash in an unquoted field
	quoted
	closing // after a quote in a quoted field
	ending  // after a closing quote and a CR
)

// The faults in the quotes of a row. Rows with such a fault were probably written in another
// dialect, so that the ends of their fields, and even of the rows, may be elsewhere.
var (
	errAfterQuote  = errors.New("text after the closing quote of a field")
	errSpaceQuote  = errors.New("a blank before the quote of a field")
	errEndQuote    = errors.New("a quote at the end of a field that does not begin with one")
	errSingleQuote = errors.New("a double quote in a field that begins with a single quote")
	errEscapeQuote = errors.New("a backslash before a quote: want the quote doubled")
)

// next returns the position after the LF of the current row, or -1 if data does not contain that
// LF. After the last row, the caller may use the fields and the fault of a row without an LF.
func (s *rowScanner) next(data []byte) int {
	if !s.begun {
		s.state, s.fields, s.fault, s.single = before, 1, nil, false
	}
	if s.inLine || s.quote == 0 || !s.begun {
		n := bytes.IndexByte(data[s.at:], '\n')
		row := data[s.at:]
		if n >= 0 {
			row = row[:n]
		}
		if s.inLine || s.quote == 0 || n >= 0 && bytes.IndexByte(row, s.quote) < 0 {
			s.fields += bytes.Count(row, []byte{s.comma})
			s.at += len(row)
			if s.begun = n < 0; s.begun {
				return -1
			}
			s.at++
			return s.at
		}
	}
	s.begun = true
	for s.at < len(data) {
		if s.state == quoted {
			n := bytes.IndexByte(data[s.at:], s.quote)
			if n < 0 {
				s.at = len(data)
				return -1
			}
			s.at, s.state = s.at+n+1, closing
			continue
		}
		c := data[s.at]
		s.at++
		switch {
		case c == '\n':
			s.endField()
			s.begun = false
			return s.at
		case c == s.comma:
			s.endField()
			s.fields++
			s.state, s.single = before, false
		case c == s.quote:
			s.addQuote()
		case s.state == closing && c == '\r':
			s.state = ending
		case s.state == closing || s.state == ending:
			s.fail(errAfterQuote)
			s.state = bare
		case c == '\\':
			s.state = escaped
		case c == ' ' && s.state <= spaces:
			s.state = spaces
		case c == '\r' && s.state == inner: // the CR of the line end
		default:
			s.single = s.single || c == '\'' && s.state == before
			s.state = bare
		}
	}
	return -1
}

// addQuote changes the state after a quote that is not inside a quoted field.
func (s *rowScanner) addQuote() {
	switch s.state {
	case before, closing:
		s.state = quoted
		return
	case spaces:
		s.fail(errSpaceQuote)
	case escaped:
		s.fail(errEscapeQuote)
	case ending:
		s.fail(errAfterQuote)
	}
	if s.single {
		s.fail(errSingleQuote)
	}
	s.state = inner
}

// finish checks the last row of a table, which may lack an LF.
func (s *rowScanner) finish() {
	if s.begun {
		s.endField()
	}
}

// endField checks the end of a field.
func (s *rowScanner) endField() {
	if s.state == inner {
		s.fail(errEndQuote)
	}
}

func (s *rowScanner) fail(err error) {
	if s.fault == nil {
		s.fault = err
	}
}

// eachField calls fn with each field of a row, including its quotes.
func (f rowFormat) eachField(row []byte, fn func(i int, field []byte)) {
	row = bytes.TrimSuffix(row, []byte("\r"))
	for i, start := 0, 0; start <= len(row); i++ {
		end := start
		for f.quote != 0 && !f.inLine && end < len(row) && row[end] == f.quote { // a quoted field continues after a doubled quote
			if n := bytes.IndexByte(row[end+1:], f.quote); n >= 0 {
				end += n + 2
			} else {
				end = len(row)
			}
		}
		if n := bytes.IndexByte(row[end:], f.comma); n >= 0 {
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
func (f rowFormat) unquoted(dst, field []byte) []byte {
	if f.quote == 0 || len(field) == 0 || field[0] != f.quote || f.inLine && !f.isQuoted(field) {
		return append(dst, field...)
	}
	for field = field[1:]; ; {
		n := bytes.IndexByte(field, f.quote)
		if n < 0 {
			return append(dst, field...)
		}
		dst = append(dst, field[:n]...)
		if n+1 == len(field) || field[n+1] != f.quote {
			return append(dst, field[n+1:]...)
		}
		dst, field = append(dst, f.quote), field[n+2:]
	}
}

// isQuoted reports whether a field that begins with a quote also ends with one, and all quotes
// between them are doubled.
func (f rowFormat) isQuoted(field []byte) bool {
	for field = field[1:]; ; field = field[2:] {
		n := bytes.IndexByte(field, f.quote)
		if field = field[max(n, 0):]; n < 0 || len(field) == 1 {
			return n >= 0
		}
		if field[1] != f.quote {
			return false
		}
	}
}

// quotedField returns a text as a field of a table, quoted if necessary.
func (f rowFormat) quotedField(text string) []byte {
	quote := string(rune(f.quote))
	if f.quote == 0 || !bytes.ContainsAny([]byte(text), quote+"\r\n"+string(rune(f.comma))) {
		return []byte(text)
	}
	doubled := bytes.ReplaceAll([]byte(text), []byte(quote), []byte(quote+quote))
	return append(append([]byte(quote), doubled...), quote...)
}
