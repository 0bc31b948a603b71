package pages

import (
	"fmt"
	"slices"
)

// A copy has the schema and the metadata of the file byte for byte, because package format does not
// hold all of their contents: it drops logical types that it does not know and the field number 0,
// and refuses a key without a value.

// A rawFooter holds the bytes of the elements of two lists in a footer. An element that is nil is
// new in the copy, and has no bytes in the file.
type rawFooter struct {
	schema    [][]byte
	keyValues [][]byte
}

// The numbers of fields in the structures FileMetaData, KeyValue and SchemaElement.
const (
	schemaField      = 2
	keyValuesField   = 5
	valueField       = 2
	logicalTypeField = 10
)

// list returns the list with the given field number, or nil if r does not hold it.
func (r *rawFooter) list(number int) *[][]byte {
	switch number {
	case schemaField:
		return &r.schema
	case keyValuesField:
		return &r.keyValues
	}
	return nil
}

// readRaw returns the lists in the footer b.
func readRaw(b []byte) (raw rawFooter, err error) {
	err = eachField(b, func(number int, value []byte) (err error) {
		if list := raw.list(number); list != nil {
			_, *list, err = elementsOf(value)
		}
		return err
	})
	return raw, err
}

// completed returns the footer b with an empty value for each key that has none. raw must be the
// result of readRaw for b.
func (r *rawFooter) completed(b []byte) ([]byte, error) {
	complete, changed := rawFooter{keyValues: slices.Clone(r.keyValues)}, false
	for i, kv := range r.keyValues {
		if !hasField(kv, valueField) {
			value := []byte{1<<4 | thriftBinary, 0, thriftStop}
			complete.keyValues[i], changed = slices.Concat(kv[:len(kv)-1], value), true
		}
	}
	if !changed {
		return b, nil
	}
	return complete.replaceIn(b)
}

// replaceIn returns the footer b with the elements of r in place of its own. The lists of b must
// have as many elements as those of r.
func (r *rawFooter) replaceIn(b []byte) (out []byte, err error) {
	rest := b
	err = eachField(b, func(number int, value []byte) error {
		list := r.list(number)
		if list == nil || *list == nil {
			return nil
		}
		head, elements, err := elementsOf(value)
		if err == nil && len(elements) != len(*list) {
			err = fmt.Errorf("footer with %d elements in place of %d", len(elements), len(*list))
		}
		if err != nil {
			return err
		}
		out = append(append(out, rest[:len(rest)-cap(value)]...), head...)
		for i, e := range *list {
			if e == nil {
				e = elements[i]
			}
			out = append(out, e...)
		}
		rest = value[len(value):cap(value)]
		return nil
	})
	return append(out, rest...), err
}

// hasField reports whether a structure has the field with the given number.
func hasField(structure []byte, number int) (found bool) {
	err := eachField(structure, func(n int, _ []byte) error {
		found = found || n == number
		return nil
	})
	return found && err == nil
}

// eachField calls fn with the number and the bytes of each field of the structure at the start of b.
// The capacity of the bytes extends to the end of b.
func eachField(b []byte, fn func(number int, value []byte) error) error {
	s, number := thriftScanner{b: b}, 0
	for {
		head, err := s.byte()
		if err != nil || head == thriftStop {
			return err
		}
		if number += int(head >> 4); head>>4 == 0 {
			n, err := s.varint()
			if err != nil {
				return err
			}
			number = int(n >> 1) // zigzag, not negative
		}
		start := s.at
		if kind := head & 15; kind > thriftFalse {
			if err := s.value(kind, 0); err != nil {
				return err
			}
		}
		if err := fn(number, b[start:s.at:len(b)]); err != nil {
			return err
		}
	}
}

// elementsOf splits the bytes of a list into the head, which has the type and the number of
// elements, and the elements.
func elementsOf(list []byte) (head []byte, elements [][]byte, err error) {
	s := thriftScanner{b: list}
	first, err := s.byte()
	if err != nil {
		return nil, nil, err
	}
	n := uint64(first >> 4)
	if n == 15 {
		if n, err = s.varint(); err != nil {
			return nil, nil, err
		}
	}
	head = list[:s.at]
	for range n {
		start := s.at
		if err := s.value(first&15, 0); err != nil {
			return nil, nil, err
		}
		elements = append(elements, list[start:s.at:s.at])
	}
	return head, elements, nil
}
