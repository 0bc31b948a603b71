package record

import (
	"bytes"
	"errors"
	"fmt"

	"doppel/pkg/line/kind"
	"doppel/pkg/msg"
	"doppel/pkg/record/fieldpath"
	"doppel/pkg/record/jsonstr"
)

// The JSON scanner checks a whole line against RFC 8259 in one pass and stores the positions of
// the wanted values. Its callers decode only those values.
//
// A general library either decodes everything, or finds a field without checking the rest of the
// line and so accepts a truncated record. On a line of 3 kB with an escape every thirty bytes, the
// scanner reads 5 GB/s, encoding/json's Valid reads 0.32 GB/s, and Unmarshal into a struct with the
// one wanted field reads 0.15 GB/s:
//
//	go test -bench Scan ./pkg/record
//
// Package jsonstr finds the end of each string. The scanner does not check bytes above 127, so it
// accepts invalid UTF-8.
//
// The numbers NaN, Infinity and -Infinity, which Python writes, are accepted.
//
// If an object repeats a key, the last value counts, as in Python and jq.

// maxDepth is the maximum nesting depth of arrays and objects.
const maxDepth = 10000

var errEnd = errors.New("invalid JSON: unexpected end of line")

// A span is the position of a wanted value: data[start:end]. A zero span means that the value
// was not found.
type span struct{ start, end int }

// An element is a value in an array, selected by a path with [] or an index. Its end is 0 if the
// value is missing.
type element struct {
	span
	want byte // '{' or '[' if the path needs an object or an array here but the value is of another kind; otherwise 0
}

// A scanner finds the wanted values in JSON lines, one line at a time. Each wanted path has a slot,
// which is its index in the slices spans and elements. The span of a path into an array covers the
// outermost array.
type scanner struct {
	data     []byte
	spans    []span
	elements [][]element // nil if no path leads into an array
	key      []byte      // scratch for keys with escapes
	err      error
	at       int  // position of the unexpected byte
	deep     bool // the value at that position is nested too deeply
}

// scan checks that the line is one JSON value, and stores the positions of the wanted values. The
// tree at root holds the paths to these values.
func (s *scanner) scan(line []byte, root *node) error {
	s.data, s.err, s.deep = line, nil, false
	clear(s.spans)
	for slot := range s.elements {
		s.elements[slot] = s.elements[slot][:0]
	}
	i := s.skipValue(s.skipSpace(0), root, 0)
	if i < 0 {
		return s.err
	}
	if i = s.skipSpace(i); i < len(line) {
		s.unexpected(i)
		if line[i] == '{' {
			s.err = msg.WithHint(s.err, "a second record is on the line: was a file without a newline at its end joined with another?")
		}
		return s.err
	}
	return nil
}

// unexpected sets the error for the byte at i, or for the end of the line. It returns -1, which its
// callers return in place of a position.
func (s *scanner) unexpected(i int) int {
	if s.at = min(i, len(s.data)); s.at == len(s.data) {
		s.err = errEnd
		return -1
	}
	s.err = fmt.Errorf("invalid JSON: unexpected %q at byte %d", s.data[i], i+1)
	if s.deep {
		s.err = fmt.Errorf("arrays and objects nested more than %d deep, at byte %d", maxDepth, i+1)
	} else if object := bytes.IndexByte(s.data, '{'); i == 0 || object < 0 || object > i { // no record begins before the fault
		if what := kind.Of(s.data); what != "" {
			s.err = fmt.Errorf("the line is from a file of %s, not of records", what)
			return -1
		}
		s.err = msg.WithHint(s.err, "want one JSON object per line; --csv reads CSV or TSV with a header, --lines reads each line as a text")
	}
	return -1
}

// skipSpace returns the position of the first byte at or after i that is not white space.
func (s *scanner) skipSpace(i int) int {
	for i < len(s.data) && s.data[i] <= ' ' && (s.data[i] == ' ' || s.data[i] == '\t' || s.data[i] == '\r' || s.data[i] == '\n') {
		i++
	}
	return i
}

// skipValue skips the value at i and returns its end, or -1 if the value is invalid. n is the
// value's node; it is nil if no path leads to the value.
func (s *scanner) skipValue(i int, n *node, depth int) int {
	if i >= len(s.data) || depth > maxDepth {
		s.deep = i < len(s.data)
		return s.unexpected(i)
	}
	end := 0
	switch s.data[i] {
	case '"':
		end = s.skipString(i)
	case '{':
		end = s.skipMembers(i, n, '}', depth)
	case '[':
		end = s.skipMembers(i, n, ']', depth)
	case 't':
		end = s.skipLiteral(i, "true")
	case 'f':
		end = s.skipLiteral(i, "false")
	case 'n':
		end = s.skipLiteral(i, "null")
	default:
		if word := nonFinite(s.data[i:]); word != "" {
			end = s.skipLiteral(i, word)
			break
		}
		var ok bool
		if end, ok = jsonstr.SkipNumber(s.data, i); !ok {
			return s.unexpected(end)
		}
	}
	if n != nil && end >= 0 {
		s.recordValue(n, span{i, end})
	}
	return end
}

// recordValue stores the position of node n's value if a path ends at n. If the path leads into an
// array, recordValue also notes values of the wrong kind and elements that are missing because the
// array is too short.
func (s *scanner) recordValue(n *node, at span) {
	kind := s.data[at.start]
	switch {
	case n.slot < 0:
	case n.inArray:
		s.elements[n.slot] = append(s.elements[n.slot], element{span: at})
	default:
		s.spans[n.slot] = at
	}
	if !n.inArray {
		for _, slot := range n.elemSlots {
			s.spans[slot] = at
		}
	} else if kind != 'n' {
		s.recordStray(n.kidSlots, at, '{')
		s.recordStray(n.elemSlots, at, '[')
	}
	if kind == '[' {
		for _, e := range n.elems {
			if e.step.At != fieldpath.All {
				s.recordMissing(e, at.start)
			}
		}
	}
}

// recordStray checks the value at the given span for slots whose paths need an object (want is '{')
// or an array (want is '['). If the value is of another kind, recordStray adds it to the slots as a
// value of the wrong kind.
func (s *scanner) recordStray(slots []int, at span, want byte) {
	for _, slot := range slots {
		if s.data[at.start] != want {
			s.elements[slot] = append(s.elements[slot], element{at, want})
		}
	}
}

// recordMissing adds a missing element to the slots of n and its descendants, except to those that
// have an element of the array that begins at start.
func (s *scanner) recordMissing(n *node, start int) {
	for slot := range n.slots {
		if all := s.elements[slot]; len(all) == 0 || all[len(all)-1].start < start {
			s.elements[slot] = append(all, element{span: span{start, 0}})
		}
	}
}

// nonFinite returns the number that is not in RFC 8259 but that data may begin with, in the form that
// Python writes and reads, or "".
func nonFinite(data []byte) string {
	switch {
	case data[0] == 'N':
		return "NaN"
	case data[0] == 'I':
		return "Infinity"
	case len(data) > 1 && data[0] == '-' && data[1] == 'I':
		return "-Infinity"
	}
	return ""
}

func (s *scanner) skipLiteral(i int, word string) int {
	for j := range len(word) {
		if i+j >= len(s.data) || s.data[i+j] != word[j] {
			return s.unexpected(i + j)
		}
	}
	return i + len(word)
}

// skipMembers skips the object or array at i, and looks in it for the values of the nodes below n.
// closer is '}' for an object and ']' for an array.
func (s *scanner) skipMembers(i int, n *node, closer byte, depth int) int {
	open := i
	if i = s.skipSpace(i + 1); i < len(s.data) && s.data[i] == closer {
		return i + 1
	}
	for k := 0; ; k++ {
		var kid *node
		if closer == '}' {
			if i >= len(s.data) || s.data[i] != '"' {
				return s.unexpected(i)
			}
			end := s.skipString(i)
			if end < 0 {
				return end
			}
			kid = s.enterMember(n, i, end, open)
			if i = s.skipSpace(end); i >= len(s.data) || s.data[i] != ':' {
				return s.unexpected(i)
			}
			i = s.skipSpace(i + 1)
		}
		if closer == ']' && n != nil {
			i = s.skipElement(n.elems, i, k, depth+1)
		} else {
			i = s.skipValue(i, kid, depth+1)
		}
		if i < 0 {
			return i
		}
		i = s.skipSpace(i)
		switch {
		case i < len(s.data) && s.data[i] == ',':
			i = s.skipSpace(i + 1)
		case i < len(s.data) && s.data[i] == closer:
			return i + 1
		default:
			return s.unexpected(i)
		}
	}
}

// skipElement skips element k of an array, scanning it once for each node that selects it.
func (s *scanner) skipElement(nodes []*node, i, k, depth int) int {
	end := 0
	for _, n := range nodes {
		if n.step.At != fieldpath.All && n.step.At != k {
			continue
		}
		if end = s.skipValue(i, n, depth); end < 0 {
			return end
		}
		s.recordMissing(n, i)
	}
	if end == 0 {
		end = s.skipValue(i, nil, depth)
	}
	return end
}

// enterMember returns the child of n for the quoted key data[i:end], or nil if there is none. The
// object starts at data[open]. If the key occurred earlier in the object, enterMember discards the
// values found under it.
func (s *scanner) enterMember(n *node, i, end, open int) *node {
	if n == nil || len(n.kids) == 0 {
		return nil
	}
	key := s.data[i+1 : end-1]
	if bytes.IndexByte(key, '\\') >= 0 {
		s.key = jsonstr.Unescape(s.key[:0], key)
		key = s.key
	}
	kid := n.find(key)
	if kid != nil {
		for slot := range kid.slots {
			s.spans[slot] = span{}
			if s.elements != nil {
				all := s.elements[slot]
				for len(all) > 0 && all[len(all)-1].start > open {
					all = all[:len(all)-1]
				}
				s.elements[slot] = all
			}
		}
	}
	return kid
}

// skipString skips the string that starts with the quote at i.
func (s *scanner) skipString(i int) int {
	i = jsonstr.Skip(s.data, i+1)
	if i < len(s.data) && s.data[i] == '"' {
		return i + 1
	}
	if i < len(s.data) && s.data[i] == '\\' { // find the invalid byte of the escape
		if i++; i < len(s.data) && s.data[i] == 'u' {
			for i++; i < len(s.data) && jsonstr.Hex(s.data[i]) >= 0; {
				i++
			}
		}
	}
	return s.unexpected(i)
}
