package mail

import (
	"bytes"
	"errors"
	"io"
)

// block is how much of an mbox is read at once. Messages are slices of blocks,
// which costs no copy but of the one that a block's end cuts in two.
const block = 1 << 20

// ErrNotMbox is the error for an input whose first line that is not empty does
// not begin with "From ".
var ErrNotMbox = errors.New(`not an mbox: its first line does not begin with "From "`)

// An MboxReader splits an mbox into messages. A line that begins with "From ",
// at the start or after an empty line, begins a message; quoted ones (">From ")
// stay quoted. Splitting runs at the speed of memory.
type MboxReader struct {
	r       io.Reader
	buf     []byte // read and not yet returned
	scanned int    // bytes of buf in which no message but the first begins
	err     error  // of r
	begun   bool
}

// NewMboxReader returns a reader of the messages of r.
func NewMboxReader(r io.Reader) *MboxReader { return &MboxReader{r: r} }

// Next returns the next message with its "From " line, in memory that stays as
// it is, or io.EOF after the last. The last one ends where the input ends.
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
		// Read on, into a new block with what is left of the old one in front.
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

// boundary returns where in m.buf the second message begins, or 0.
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
