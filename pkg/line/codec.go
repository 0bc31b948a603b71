package line

import (
	"bytes"
	"fmt"
	"strings"
)

// A codec writes the columns of a type, reads them, or lists their names. The arguments of its
// methods are the name of a column and a pointer to the value.
type codec struct {
	mode    mode
	lax     bool   // the remaining columns are optional
	missing bool   // a required column is missing
	wanted  int32  // number of required columns of the type
	found   int32  // number of required columns found so far
	w       Writer // used to write a line, and to list the column names
	text    []byte // the unread columns (nil after the last one), or the whole object
	at      int    // in an object: position at which object.next reads the next member
	err     error  // the first error, in a value or in the object's syntax
}

type mode byte

const (
	writing mode = iota
	readColumns
	readObject
	naming
)

// writer returns a codec that writes a line and appends it to dst.
func writer(dst []byte, f Format) *codec { return &codec{w: f.Begin(dst)} }

// reader returns a codec that reads a line, given without the line ending.
func reader(line []byte) *codec { return new(codec).readLine(line) }

// readLine sets up a codec for reading a line. It is a separate method, so that the compiler can
// inline the function reader and keep the codec on the stack of the function that calls it.
func (c *codec) readLine(line []byte) *codec {
	switch c.mode, c.text = readColumns, line; {
	case isObject(line):
		c.mode, c.at = readObject, start
	case line == nil:
		c.text = []byte{}
	}
	return c
}

func isObject(line []byte) bool {
	return len(line) > 0 && line[0] == '{' && bytes.IndexByte(line, '\t') < 0
}

// A MissingError reports that a line lacks required columns.
type MissingError struct {
	Columns       string // names of the required columns, separated by spaces
	Found, Wanted int    // numbers of required columns found and expected
}

func (m *MissingError) Error() string {
	return fmt.Sprintf("want the columns %s, found %d of %d", m.Columns, m.Found, m.Wanted)
}

// A ValueError reports that a column has an invalid value.
type ValueError struct {
	Column, Value string
	wanted        string // what was expected, after a colon; may be empty
}

func (v *ValueError) Error() string {
	return fmt.Sprintf("invalid %s %q%s", v.Column, v.Value, v.wanted)
}

// end checks the part of the line that c has not read, and returns the first error in the line. If
// required columns are missing, end calls columns, the method that read the line, to list the
// required columns.
func end[T any](c *codec, columns func(*T, *codec) *codec) error {
	// Check the syntax of the remaining members.
	for c.mode == readObject && c.err == nil && c.at > 0 {
		_, c.at, c.err = object(c.text).next(c.at)
	}
	if c.missing && (c.err == nil || c.mode == readColumns) {
		names := codec{mode: naming}
		columns(new(T), &names)
		return &MissingError{Columns: strings.TrimSuffix(string(names.w.buf), " "), Found: int(c.found), Wanted: int(c.wanted)}
	}
	return c.err
}

// restOptional makes the columns that are read after this call optional.
func (c *codec) restOptional() { c.lax = true }

// json reports whether to read or write the members that only objects have.
func (c *codec) json() bool { return c.mode == readObject || c.mode == writing && c.w.format.JSON }

// hasColumns reports whether a line has certain optional columns. When the codec writes, hasColumns
// returns its first argument, by which the caller decides. In an object, it looks for a member with
// the given name that is not null. In a line of columns, it checks that at least the given number
// of columns remain.
func (c *codec) hasColumns(value bool, name string, columns int) bool {
	switch c.mode {
	case writing:
		return value
	case readColumns:
		return c.text != nil && bytes.Count(c.text, []byte{'\t'}) >= columns-1
	case readObject:
		text, _ := c.find(name)
		return text != nil && string(text) != null
	}
	return false
}
