package jsonscan

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A valuesReader converts JSON values that are not on one line each to JSON lines: the objects of an
// array, or objects that follow one another. It removes line ends between the tokens of an object,
// and the indentation after them, and changes no other byte. It checks only what it needs to find
// the ends of the objects; the scanner checks the lines.
//
// It holds one block of the input, so that an array of any size is read in bounded memory.
type valuesReader struct {
	r      io.Reader
	array  bool
	state  valuesState
	in     []byte // the rest of the block
	block  []byte
	out    []byte // the converted block
	sent   int    // number of bytes of out that Read has returned
	depth  int    // number of open brackets in the current object
	text   bool   // in a string
	slash  bool   // after a backslash in a string
	indent bool   // after a line end between two tokens
	count  int64  // number of objects begun
	err    error
}

// A valuesState is the position of a valuesReader outside objects.
type valuesState byte

const (
	atStart    valuesState = iota // before the array
	beforeAny                     // an object or the end of the array may follow
	beforeOne                     // after a comma, an object must follow
	afterOne                      // after an object
	afterArray                    // only white space may follow
)

// NewValuesReader returns a reader of the objects of an array, or of objects that follow one another.
func NewValuesReader(r io.Reader, array bool) io.Reader {
	v := &valuesReader{r: r, array: array, block: make([]byte, 1<<16)}
	if !array {
		v.state = beforeAny
	}
	return v
}

func (v *valuesReader) Read(p []byte) (int, error) {
	for v.sent == len(v.out) && v.err == nil {
		if len(v.in) == 0 {
			n, err := v.r.Read(v.block)
			if v.in = v.block[:n]; err == io.EOF {
				err = v.end()
			}
			if v.err = err; n == 0 {
				continue
			}
		}
		v.out, v.sent = v.out[:0], 0
		if err := v.convert(); err != nil {
			v.err = err
		}
	}
	n := copy(p, v.out[v.sent:])
	if v.sent += n; n > 0 {
		return n, nil
	}
	return 0, v.err
}

// end returns io.EOF, or an error if the input ends too early. It is called before the last block is
// converted only if that block is empty.
func (v *valuesReader) end() error {
	switch {
	case len(v.in) > 0:
		return nil // the next Read returns io.EOF again
	case v.depth > 0:
		return fmt.Errorf("object %d is truncated", v.count)
	case v.array && v.state != afterArray:
		return errors.New("the JSON array is truncated")
	}
	return io.EOF
}

// convert converts the rest of the block.
func (v *valuesReader) convert() error {
	for len(v.in) > 0 {
		if v.depth > 0 {
			if err := v.copyObject(); err != nil {
				return err
			}
			continue
		}
		c := v.in[0]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		case v.state == atStart && c == '[':
			v.state = beforeAny
		case c == '{' && (v.state == beforeAny || v.state == beforeOne || v.state == afterOne && !v.array):
			v.depth, v.count, v.out, v.state = 1, v.count+1, append(v.out, c), afterOne
		case v.array && c == ',' && v.state == afterOne:
			v.state = beforeOne
		case v.array && c == ']' && (v.state == afterOne || v.state == beforeAny):
			v.state = afterArray
		case v.state == afterArray:
			return fmt.Errorf("%q follows the JSON array", c)
		case v.array && v.state == afterOne:
			return fmt.Errorf("unexpected %q after object %d of the JSON array", c, v.count)
		default:
			return fmt.Errorf("unexpected %q: want object %d", c, v.count+1)
		}
		v.in = v.in[1:]
	}
	return nil
}

// copyObject copies a part of the current object: a part of a string, or at most one byte that is
// not in a string.
func (v *valuesReader) copyObject() error {
	if v.text {
		if v.slash {
			v.out, v.in, v.slash = append(v.out, v.in[0]), v.in[1:], false
			return nil
		}
		n := bytes.IndexAny(v.in, "\"\\\n")
		if n < 0 {
			v.out, v.in = append(v.out, v.in...), nil
			return nil
		}
		if v.in[n] == '\n' {
			return fmt.Errorf("object %d has a line end in a string", v.count)
		}
		v.slash, v.text = v.in[n] == '\\', v.in[n] != '"'
		v.out, v.in = append(v.out, v.in[:n+1]...), v.in[n+1:]
		return nil
	}
	c := v.in[0]
	v.in = v.in[1:]
	switch c {
	case '\n', '\r':
		v.indent = true
		return nil
	case ' ', '\t':
		if v.indent {
			return nil
		}
	case '"':
		v.text = true
	case '{', '[':
		v.depth++
	case '}', ']':
		v.depth--
	}
	v.indent = false
	if v.out = append(v.out, c); v.depth == 0 {
		v.out = append(v.out, '\n')
	}
	return nil
}
