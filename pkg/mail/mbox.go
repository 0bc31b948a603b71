package mail

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// block is the minimum size in bytes of the buffers into which an mbox is read. Messages are slices
// of a buffer; only a message that crosses the end of a buffer is copied.
const block = 1 << 20

// ErrNotMbox means that the first non-empty line of the input does not start with "From ".
var ErrNotMbox = errors.New(`not an mbox: the first line does not begin with "From "`)

// An MboxReader splits an mbox into messages. The first message starts at the first line. Any other
// starts at a line that begins with "From " and has an address and a date, or at such a line
// without a date if it follows an empty line and precedes a header field. If the header of a message
// has a Content-Length, and the message ends there at the end of the mbox or before a line with an
// address, a date and a following header field, then no message starts within the length. Quoted
// lines (">From ") are not unquoted.
type MboxReader struct {
	r       io.Reader
	buf     []byte // bytes read but not yet returned
	scanned int    // number of bytes of buf searched without finding the start of a second message
	err     error  // error from reading r
	begun   bool
	length  int   // end of the first message of buf by its Content-Length; 0 for not known yet, -1 for none
	lines   int64 // number of lines in the messages returned so far
	doubt   *Doubt
}

// A Doubt is a line of an mbox that may or may not start a message: mail programs disagree, or its
// message would be damaged.
type Doubt struct {
	Line int64 // number of the line, from 1
	Why  string
}

func (d *Doubt) Error() string {
	return fmt.Sprintf("line %d begins with \"From \", but %s, so it may or may not begin a message", d.Line, d.Why)
}

// NewMboxReader returns a reader of the messages of r.
func NewMboxReader(r io.Reader) *MboxReader { return &MboxReader{r: r} }

// Doubt returns the first doubtful line of the messages read so far, or nil if there is none. An
// mbox with a doubtful line must not be rewritten.
func (m *MboxReader) Doubt() *Doubt { return m.doubt }

// Next returns the next message with its "From " line, or io.EOF after the last one. The caller may
// retain the message.
func (m *MboxReader) Next() ([]byte, error) {
	for {
		end, found := m.boundary()
		if !found && m.err == io.EOF {
			end = len(m.buf)
		}
		if end > 0 && (found || m.err == io.EOF) {
			message := m.buf[:end:end]
			m.buf, m.scanned, m.length = m.buf[end:], 0, 0
			m.lines += int64(bytes.Count(message, newline))
			return message, nil
		}
		if m.err != nil {
			return nil, m.err
		}
		if err := m.fill(); err != nil {
			return nil, err
		}
	}
}

// fill reads more of the mbox, into a new buffer that starts with the rest of the old one.
func (m *MboxReader) fill() error {
	next := make([]byte, max(block, 2*len(m.buf)))
	rest := copy(next, m.buf)
	n, err := io.ReadFull(m.r, next[rest:])
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	m.buf, m.err = next[:rest+n], err
	if m.begun {
		return nil
	}
	text := bytes.TrimLeft(m.buf, "\r\n")
	m.lines += int64(bytes.Count(m.buf[:len(m.buf)-len(text)], newline))
	m.buf = text
	start := trimBOM(m.buf)
	m.begun = bytes.HasPrefix(start, from)
	if !m.begun && (len(start) >= len(from) || len(m.buf) > 0 && m.err == io.EOF) {
		return ErrNotMbox
	}
	if !m.begun {
		return nil
	}
	if s, known := m.separator(len(m.buf) - len(start)); known && !s.dated && !s.field {
		m.addDoubt(0, "no date and no header field follow")
	}
	return nil
}

var (
	from    = []byte("From ")
	newline = []byte("\n")
)

func (m *MboxReader) addDoubt(at int, why string) {
	if m.doubt == nil {
		m.doubt = &Doubt{m.lines + int64(bytes.Count(m.buf[:at], newline)) + 1, why}
	}
}

// boundary returns the start of the second message in m.buf. If found is false, m.buf has only one
// message, or more of the mbox must be read.
func (m *MboxReader) boundary() (at int, found bool) {
	for {
		n := bytes.Index(m.buf[m.scanned:], from)
		if n < 0 {
			m.scanned = max(m.scanned, len(m.buf)-len(from)+1)
			return 0, false
		}
		at := m.scanned + n
		if at == 0 || m.buf[at-1] != '\n' {
			m.scanned = at + 1
			continue
		}
		s, known := m.separator(at)
		if !known {
			m.scanned = at
			return 0, false
		}
		empty := bytes.HasSuffix(m.buf[:at], []byte("\n\n")) || bytes.HasSuffix(m.buf[:at], []byte("\n\r\n"))
		start := s.dated || s.field && empty
		if start || s.field {
			end, known := m.lengthEnd(at)
			switch {
			case !known:
				m.scanned = at
				return 0, false
			case end == at:
				return at, true
			case end > at:
				m.addDoubt(at, "it is within the Content-Length of a message")
				m.scanned = end
				if end == len(m.buf) {
					return 0, false
				}
				return end, true
			}
		}
		switch {
		case s.field && !s.dated:
			m.addDoubt(at, "it has no address and date")
		case s.alone && empty:
			m.addDoubt(at, "it has no date and no header field follows")
		case s.dated && !s.field:
			m.addDoubt(at, "no header field follows")
		case start && !empty:
			m.addDoubt(at, "no empty line precedes it")
		}
		if start {
			return at, true
		}
		m.scanned = at + 1
	}
}

// A separator describes a line that begins with "From ".
type separator struct {
	dated bool // it has an address and a date
	alone bool // it has an address and nothing else
	field bool // the next line is a header field
}

// lineMax is the maximum length of a line that can be a separator or the field after it.
const lineMax = 2048

// separator examines the line at a position of m.buf. It returns false if it must read more of the
// mbox first.
func (m *MboxReader) separator(at int) (s separator, known bool) {
	rest := m.buf[at:min(len(m.buf), at+2*lineMax)]
	n := lineLen(rest)
	line, next := rest[:n], rest[n:]
	if m.err == nil && len(rest) < 2*lineMax && bytes.IndexByte(next, '\n') < 0 {
		return s, false
	}
	s.dated = isDated(line)
	s.alone = bytes.Count(bytes.TrimSpace(line), []byte(" ")) == 1 && bytes.IndexByte(line, '@') > 0
	s.field = isKnownField(next) || s.dated && fieldName(next) != nil
	return s, true
}

// lengthMax is the maximum Content-Length that is checked, since the message is held in memory.
const lengthMax = 1 << 28

// lengthEnd returns the end of the first message in m.buf by its Content-Length. It returns 0 if the
// message has no such field, or if the mbox does not end there and has no separator there. It
// returns false if it must read more of the mbox first. The argument is the start of a message if
// the length does not say otherwise.
func (m *MboxReader) lengthEnd(found int) (end int, known bool) {
	if m.length == 0 {
		m.length = -1
		header, body := Split(m.buf[:found])
		n, err := strconv.ParseUint(string(header.Get("Content-Length")), 10, 63)
		if err == nil && n <= lengthMax {
			m.length = found - len(body) + int(n)
		}
	}
	if m.length < 0 || m.length > len(m.buf) && m.err != nil {
		return 0, true
	}
	if m.length+2*lineMax > len(m.buf) && m.err == nil {
		return 0, false
	}
	rest := m.buf[m.length:]
	for range 2 {
		rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), newline)
	}
	end = len(m.buf) - len(rest)
	if len(rest) == 0 {
		return end, true
	}
	if !bytes.HasPrefix(rest, from) || m.buf[end-1] != '\n' {
		return 0, true
	}
	s, known := m.separator(end)
	if known && !(s.dated && s.field) && end != found {
		end = 0
	}
	return end, known
}

// isDated reports whether a "From " line has at most one address, and a date, such as
// "From a@example.org Mon Nov 16 10:00:00 2026". The name of a terminal may follow the address.
func isDated(line []byte) bool {
	words := bytes.Fields(line[len(from):])
	day := 0
	for day < len(words) && !isName(words[day], weekdays) {
		day++
	}
	address := words[:day]
	switch {
	case day+4 > len(words) || day > 6:
		return false
	case day > 1 && address[0][0] != '"' && !(day == 3 && string(address[1]) == "at") && !(day == 2 && bytes.HasPrefix(address[1], []byte("tty"))):
		return false
	}
	var month, date, time, year bool
	for _, word := range words[day+1 : min(len(words), day+7)] {
		switch {
		case isName(word, months):
			month = true
		case isTime(word):
			time = true
		case !date && isDigits(word, 1, 2):
			date = true
		case isDigits(word, 4, 4) || isDigits(word, 2, 2):
			year = true
		}
	}
	return month && date && time && year
}

const (
	weekdays = " mon tue wed thu fri sat sun "
	months   = " jan feb mar apr may jun jul aug sep oct nov dec "
)

// isName reports whether a word is one of the names of three letters in a list. A comma may follow.
func isName(word []byte, names string) bool {
	word = bytes.ToLower(bytes.TrimSuffix(word, []byte(",")))
	return len(word) == 3 && bytes.Contains([]byte(names), append(append([]byte(" "), word...), ' '))
}

func isDigits(word []byte, least, most int) bool {
	for _, b := range word {
		if b < '0' || b > '9' {
			return false
		}
	}
	return least <= len(word) && len(word) <= most
}

// isTime reports whether a word is a time of day, with or without seconds.
func isTime(word []byte) bool {
	parts := bytes.Split(word, []byte(":"))
	for _, p := range parts {
		if !isDigits(p, 1, 2) {
			return false
		}
	}
	return len(parts) == 2 || len(parts) == 3
}

// usualFields lists the header fields without a hyphen that a message may begin with.
var usualFields = set("bcc cc comments date from keywords lines newsgroups organization path precedence priority received references sender status subject to xref")

// isKnownField reports whether a line is a header field of mail. A name without a hyphen must be one
// of the usual names, because text such as "Note: ..." has the form of a field, too. A quoted
// separator, which some programs leave in a header, counts as a field.
func isKnownField(line []byte) bool {
	if bytes.HasPrefix(line, []byte(">From ")) {
		return true
	}
	name := bytes.ToLower(fieldName(line))
	return usualFields[string(name)] || bytes.IndexByte(name, '-') > 0
}
