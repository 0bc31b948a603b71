package record

import (
	"errors"
	"fmt"

	"doppel/pkg/record/jsonstr"
	"doppel/pkg/wording"
)

// The JSON scanner: one pass that checks a whole line against RFC 8259 and
// notes where the wanted values are. Nothing is decoded but those.
//
// A general library does either half of that: it finds a field without
// checking the rest of the line, so that a torn record passes, or it decodes
// all. On a line of 3 kB with an escape every thirty bytes,
//
//	go test -bench Scan ./pkg/record
//
// gave 5 GB/s here, 0.32 for encoding/json's Valid, and 0.15 for its Unmarshal of
// the one field. Strings are passed by doppel/pkg/record/jsonstr. Bytes above 127 are
// not checked: UTF-8 is expected, never required.
//
// Where an object has a key twice the last one counts, as in Python and jq.

// maxDepth is how deep arrays and objects may nest.
const maxDepth = 10000

var errEnd = errors.New("invalid JSON: unexpected end of line")

// A span is where a wanted value is: data[start:end], with start > 0 where it
// was found at all.
type span struct{ start, end int }

// A scanner scans one line after another. Its spans are by slot.
type scanner struct {
	data  []byte
	spans []span
	key   []byte // scratch for keys with escapes
	err   error
	at    int // where what was unexpected stands
}

// scan checks the line and fills in the spans of the nodes under root.
func (s *scanner) scan(line []byte, root *node) error {
	s.data, s.err = line, nil
	clear(s.spans)
	i := s.value(s.space(0), root, 0)
	if i < 0 {
		return s.err
	}
	if i = s.space(i); i < len(line) {
		s.unexpected(i)
		return s.err
	}
	return nil
}

// fail notes the error and returns -1, the position that means failure.
func (s *scanner) fail(err error) int {
	s.err = err
	if err == errEnd {
		s.at = len(s.data)
	}
	return -1
}

func (s *scanner) unexpected(i int) int {
	s.at = i
	if i >= len(s.data) {
		return s.fail(errEnd)
	}
	err := fmt.Errorf("invalid JSON: unexpected %q at byte %d", s.data[i], i+1)
	if i == 0 {
		err = wording.WithHint(err, "a record is a JSON object on a line of its own; --lines takes each line as a text")
	}
	return s.fail(err)
}

// space returns the first position from i on that is no white space.
func (s *scanner) space(i int) int {
	for i < len(s.data) && s.data[i] <= ' ' && isSpace(s.data[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// value passes the value at i, whose node is n or nil, and returns where it ends.
func (s *scanner) value(i int, n *node, depth int) int {
	if i >= len(s.data) || depth > maxDepth {
		return s.unexpected(i)
	}
	end := 0
	switch s.data[i] {
	case '"':
		end = s.str(i)
	case '{':
		end = s.object(i, n, depth)
	case '[':
		end = s.array(i, depth)
	case 't':
		end = s.literal(i, "true")
	case 'f':
		end = s.literal(i, "false")
	case 'n':
		end = s.literal(i, "null")
	default:
		end = s.number(i)
	}
	if n != nil && n.slot >= 0 && end >= 0 {
		s.spans[n.slot] = span{i, end}
	}
	return end
}

func (s *scanner) literal(i int, word string) int {
	for j := range len(word) {
		if i+j >= len(s.data) || s.data[i+j] != word[j] {
			return s.unexpected(i + j)
		}
	}
	return i + len(word)
}

// object passes an object; kids of n are looked for among its keys.
func (s *scanner) object(i int, n *node, depth int) int {
	if i = s.space(i + 1); i < len(s.data) && s.data[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(s.data) || s.data[i] != '"' {
			return s.unexpected(i)
		}
		end := s.str(i)
		if end < 0 {
			return end
		}
		kid := s.kid(n, i, end)
		if i = s.space(end); i >= len(s.data) || s.data[i] != ':' {
			return s.unexpected(i)
		}
		if i = s.value(s.space(i+1), kid, depth+1); i < 0 {
			return i
		}
		more, next := s.comma(i, '}')
		if !more {
			return next
		}
		i = next
	}
}

func (s *scanner) array(i, depth int) int {
	if i = s.space(i + 1); i < len(s.data) && s.data[i] == ']' {
		return i + 1
	}
	for {
		if i = s.value(i, nil, depth+1); i < 0 {
			return i
		}
		more, next := s.comma(i, ']')
		if !more {
			return next
		}
		i = next
	}
}

// comma passes what follows a member: a comma, or the end of the container.
func (s *scanner) comma(i int, closer byte) (more bool, next int) {
	i = s.space(i)
	if i < len(s.data) && s.data[i] == ',' {
		return true, s.space(i + 1)
	}
	if i < len(s.data) && s.data[i] == closer {
		return false, i + 1
	}
	return false, s.unexpected(i)
}

// kid returns the node that the key data[i:end], quotes included, leads to.
// A key that comes again takes back what the earlier one gave.
func (s *scanner) kid(n *node, i, end int) *node {
	if n == nil || len(n.kids) == 0 {
		return nil
	}
	key := s.data[i+1 : end-1]
	if jsonstr.HasEscape(key) {
		s.key = jsonstr.Unescape(s.key[:0], key)
		key = s.key
	}
	kid := n.find(key)
	if kid != nil {
		kid.forget(s.spans)
	}
	return kid
}

// str passes the string whose quote is at i.
func (s *scanner) str(i int) int {
	for i++; ; {
		i = jsonstr.Skip(s.data, i)
		if i >= len(s.data) {
			return s.fail(errEnd)
		}
		switch s.data[i] {
		case '"':
			return i + 1
		case '\\':
			if i = s.escape(i); i < 0 {
				return i
			}
		default:
			return s.unexpected(i)
		}
	}
}

// escape passes the escape whose backslash is at i.
func (s *scanner) escape(i int) int {
	if i+1 >= len(s.data) {
		return s.fail(errEnd)
	}
	switch s.data[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case 'u':
		for j := i + 2; j < i+6; j++ {
			if j >= len(s.data) || jsonstr.Hex(s.data[j]) < 0 {
				return s.unexpected(j)
			}
		}
		return i + 6
	}
	return s.unexpected(i + 1)
}

// number passes a number as RFC 8259 writes it.
func (s *scanner) number(i int) int {
	if i < len(s.data) && s.data[i] == '-' {
		i++
	}
	whole := s.digits(i)
	if whole == i || s.data[i] == '0' && whole > i+1 {
		return s.unexpected(i)
	}
	if i = whole; i < len(s.data) && s.data[i] == '.' {
		if i = s.digits(i + 1); i == whole+1 {
			return s.unexpected(i)
		}
	}
	if i < len(s.data) && s.data[i]|0x20 == 'e' {
		return s.exponent(i + 1)
	}
	return i
}

func (s *scanner) exponent(i int) int {
	if i < len(s.data) && (s.data[i] == '+' || s.data[i] == '-') {
		i++
	}
	end := s.digits(i)
	if end == i {
		return s.unexpected(i)
	}
	return end
}

func (s *scanner) digits(i int) int {
	for i < len(s.data) && '0' <= s.data[i] && s.data[i] <= '9' {
		i++
	}
	return i
}
