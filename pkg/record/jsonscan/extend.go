package jsonscan

import (
	"bytes"
	"errors"
	"fmt"

	"doppel/pkg/msg"
	"doppel/pkg/record/fieldpath"
	"doppel/pkg/record/jsonstr"
)

// An Extender adds members to JSON objects, one object at a time. It leaves all other bytes
// unchanged.
type Extender struct {
	names   []string
	replace bool
	Hint    string // the hint of the error for an existing member; "" if there is none
	root    *Tree
	s       Scanner
	buf     []byte
}

// NewExtender returns an extender that adds members with these names. If an object already has such
// a member, Extend replaces its value if replace is set, and otherwise returns an error. If replace
// is set, there must be only one name.
func NewExtender(replace bool, names ...string) *Extender {
	x := &Extender{names: names, replace: replace, root: NewTree()}
	for slot, name := range names {
		x.root.kids = append(x.root.kids, &Tree{step: fieldpath.Step{Key: name}, slot: slot})
	}
	x.s.Spans = make([]Span, len(names))
	return x
}

// Extend returns an object with the extender's members set to the given JSON values, one per name
// and in the same order. The result is valid until the next call.
func (x *Extender) Extend(object []byte, values ...[]byte) ([]byte, error) {
	if !bytes.HasPrefix(bytes.TrimLeft(object, " \t\r"), []byte{'{'}) {
		return nil, errors.New("not a JSON object: fields can be added only to objects")
	}
	if err := x.s.Scan(object, x.root); err != nil {
		return nil, err
	}
	for slot, sp := range x.s.Spans { // if x.replace is set, there is only one span
		switch {
		case sp.End == 0:
		case x.replace:
			x.buf = append(append(append(x.buf[:0], object[:sp.Start]...), values[slot]...), object[sp.End:]...)
			return x.buf, nil
		default:
			err := fmt.Errorf("the record already has a field %q", x.names[slot])
			if x.Hint != "" {
				err = msg.WithHint(err, "%s", x.Hint)
			}
			return nil, err
		}
	}
	end := bytes.LastIndexByte(object, '}')
	body, closing := object[:end], object[end:]
	dst, comma := append(x.buf[:0], body...), !bytes.HasSuffix(bytes.TrimRight(body, " \t\r\n"), []byte{'{'})
	for i, name := range x.names {
		if comma {
			dst = append(dst, ',')
		}
		dst, comma = append(append(jsonstr.Append(dst, []byte(name)), ':'), values[i]...), true
	}
	x.buf = append(dst, closing...)
	return x.buf, nil
}
