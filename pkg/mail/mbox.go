package mail

import (
	"bytes"
	"errors"
	"io"
)

// block is the minimum size in bytes of the buffers into which an mbox is read. Messages are slices
// of a buffer; only a message that crosses the end of a buffer is copied.
const block = 1 << 20

// ErrNotMbox means that the first non-empty line of the input does not start with "From ".
var ErrNotMbox = errors.New(`not an mbox: the first line does not begin with "From "`)

// An MboxReader splits an mbox into messages. A message starts at a line that begins with "From "
// and is either the first line or follows an empty line. Quoted lines (">From ") are not unquoted.
type MboxReader struct {
	r       io.Reader
	buf     []byte // bytes read but not yet returned
	scanned int    // number of bytes of buf searched without finding the start of a second message
	err     error  // error from reading r
	begun   bool
}

// NewMboxReader returns a reader of the messages of r.
func NewMboxReader(r io.Reader) *MboxReader { return &MboxReader{r: r} }

// Next returns the next message with its "From " line, or io.EOF after the last one. The caller may
// retain the message.
func (m *MboxReader) Next() ([]byte, error) {
	for {
		end := m.boundary()
		if end == 0 && m.err == io.EOF {
			end = len(m.buf)
		}
		if end > 0 {
			message := m.buf[:end:end]
			m.buf, m.scanned = m.buf[end:], 0
			return message, nil
		}
		if m.err != nil {
			return nil, m.err
		}
		// Read more, into a new buffer that starts with the rest of the old one.
		next := make([]byte, max(block, 2*len(m.buf)))
		rest := copy(next, m.buf)
		n, err := io.ReadFull(m.r, next[rest:])
		if err == io.ErrUnexpectedEOF {
			err = io.EOF
		}
		m.buf, m.err = next[:rest+n], err
		if m.begun {
			continue
		}
		m.buf = bytes.TrimLeft(m.buf, "\r\n")
		m.begun = bytes.HasPrefix(m.buf, from)
		if !m.begun && (len(m.buf) >= len(from) || len(m.buf) > 0 && m.err == io.EOF) {
			return nil, ErrNotMbox
		}
	}
}

var from = []byte("From ")

// boundary returns the start of the second message in m.buf, or 0 if m.buf has only one.
func (m *MboxReader) boundary() int {
	for {
		n := bytes.Index(m.buf[m.scanned:], from)
		if n < 0 {
			m.scanned = max(m.scanned, len(m.buf)-len(from)+1)
			return 0
		}
		at := m.scanned + n
		m.scanned = at + 1
		if before := m.buf[:at]; bytes.HasSuffix(before, []byte("\n\n")) || bytes.HasSuffix(before, []byte("\n\r\n")) {
			return at
		}
	}
}
