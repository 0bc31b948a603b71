package inspect

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"doppel/pkg/msg"
)

// A printer writes records for people to read. It writes each field of a JSON record on its own
// line, and leaves the lines of other records as they are. In all records, it escapes terminal
// control characters. It escapes a record in pieces, so it needs little memory besides the record
// itself.
type printer struct {
	w     *bufio.Writer
	shown int
}

// Write shows a record. Each call must pass a whole record, or only a line feed, which Write
// ignores.
func (p *printer) Write(record []byte) (int, error) {
	line := bytes.TrimSuffix(record, []byte("\n"))
	if len(line) == 0 {
		return len(record), nil
	}
	fmt.Fprintf(p.w, "# record %d\n", p.shown)
	p.shown++
	if json.Valid(line) {
		p.value(line)
	} else {
		p.text(line)
	}
	return len(record), p.w.WriteByte('\n')
}

// value writes b, which must be valid JSON, with each member on its own line.
func (p *printer) value(b []byte) {
	for depth, i := 0, 0; i < len(b); i++ {
		switch c := b[i]; c {
		case ' ', '\t', '\r', '\n':
		case '"':
			begin := i
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			p.text(b[begin : i+1])
		case '{', '[':
			p.w.WriteByte(c)
			rest := bytes.TrimLeft(b[i+1:], " \t\r\n")
			if rest[0] == '}' || rest[0] == ']' {
				p.w.WriteByte(rest[0])
				i = len(b) - len(rest)
				continue
			}
			depth++
			p.newline(depth)
		case '}', ']':
			depth--
			p.newline(depth)
			p.w.WriteByte(c)
		case ',':
			p.w.WriteByte(c)
			p.newline(depth)
		case ':':
			p.w.WriteString(": ")
		default:
			p.w.WriteByte(c)
		}
	}
}

func (p *printer) newline(depth int) {
	p.w.WriteByte('\n')
	for range depth {
		p.w.WriteString("  ")
	}
}

// pieceBytes is the number of bytes escaped at a time.
const pieceBytes = 1 << 12

// text writes b with terminal control characters escaped.
func (p *printer) text(b []byte) {
	for len(b) > 0 {
		n := min(len(b), pieceBytes)
		for back := 0; n < len(b) && back < utf8.UTFMax-1 && !utf8.RuneStart(b[n]); back++ {
			n--
		}
		p.w.WriteString(msg.Printable(string(b[:n])))
		b = b[n:]
	}
}
