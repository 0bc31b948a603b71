package line

import (
	"errors"
	"fmt"

	"doppel/pkg/line/cell"
	"doppel/pkg/record/jsonstr"
)

// An object is the text of a JSON object, read member by member. The parser of the standard
// library would lose lone surrogates, take seven times as long (828 ns and 7 allocations for a
// pair), and make the mail tools 365 kB larger.
type object []byte

// start is the position of the first member, after the brace.
const start = 1

// A member holds the text of a member's key, between the quotes, and the text of its
// value, including the quotes of a string.
type member struct {
	key, value []byte
}

// next reads the member after a position, which is the end of the previous member or, for the
// first member, the constant start. It returns the end of the member, or 0 after the last member.
func (o object) next(at int) (m member, end int, err error) {
	first := at == start
	at = o.space(at)
	switch {
	case o.has(at, '}') && o.space(at+1) == len(o):
		return m, 0, nil
	case !first && !o.has(at, ','):
		return m, 0, o.syntaxError(at)
	case !first:
		at = o.space(at + 1)
	}
	key, value, err := o.key(at)
	if err != nil {
		return m, 0, err
	}
	if end, err = o.value(value, 0); err == nil {
		m = member{o[at+1 : key-1], o[value:end]}
	}
	return m, end, err
}

// key returns the position after the key that begins at o[at], and the position of its value.
func (o object) key(at int) (end, value int, err error) {
	if end, err = o.quoted(at); err != nil {
		return 0, 0, err
	}
	if at = o.space(end); !o.has(at, ':') {
		return 0, 0, o.syntaxError(at)
	}
	return end, o.space(at + 1), nil
}

func (o object) has(at int, c byte) bool { return at < len(o) && o[at] == c }

func (o object) syntaxError(at int) error {
	if at >= len(o) {
		return errors.New("invalid JSON: the object does not end")
	}
	return fmt.Errorf("invalid JSON: unexpected %q at byte %d", o[at], at)
}

// space returns the position of the first byte of o[at:] that is not white space.
func (o object) space(at int) int {
	if at < len(o) && o[at] > ' ' {
		return at // the usual case, which the compiler inlines
	}
	return o.spaces(at)
}

func (o object) spaces(at int) int {
	for at < len(o) && (o[at] == ' ' || o[at] == '\r' || o[at] == '\n' || o[at] == '\t') {
		at++
	}
	return at
}

// quoted returns the position after the string that begins at o[at].
func (o object) quoted(at int) (int, error) {
	if !o.has(at, '"') {
		return 0, o.syntaxError(at)
	}
	if at = jsonstr.Skip(o, at+1); !o.has(at, '"') {
		return 0, o.syntaxError(at)
	}
	return at + 1, nil
}

// value returns the position after the value that begins at o[at].
func (o object) value(at, depth int) (int, error) {
	switch {
	case at >= len(o):
		return 0, o.syntaxError(at)
	case o[at] == '"':
		return o.quoted(at)
	case o[at] == '{' || o[at] == '[':
		return o.nested(at, depth+1)
	}
	end := at
	for end < len(o) && o[end] > ' ' && o[end] != ',' && o[end] != '}' && o[end] != ']' {
		end++
	}
	word := o[at:end]
	if string(word) != null && string(word) != "true" && string(word) != "false" && !cell.IsNumber(word) {
		return 0, o.syntaxError(at)
	}
	return end, nil
}

// maxDepth limits the nesting of values.
const maxDepth = 1000

// nested returns the position after the array or object that begins at o[at].
func (o object) nested(at, depth int) (int, error) {
	if depth > maxDepth {
		return 0, o.syntaxError(at)
	}
	isObject, closing := o[at] == '{', o[at]+2 // in ASCII, '}' is '{' + 2, and ']' is '[' + 2
	at = o.space(at + 1)
	if o.has(at, closing) {
		return at + 1, nil
	}
	for {
		var err error
		if isObject {
			if _, at, err = o.key(at); err != nil {
				return 0, err
			}
		}
		if at, err = o.value(at, depth); err != nil {
			return 0, err
		}
		switch at = o.space(at); {
		case o.has(at, closing):
			return at + 1, nil
		case !o.has(at, ','):
			return 0, o.syntaxError(at)
		}
		at = o.space(at + 1)
	}
}
