package line

import (
	"bytes"
	"fmt"
	"strings"
)

// A codec visits the columns of a type: it writes them, reads them, or lists
// their names. Methods take the column's name and where its value is.
type codec struct {
	mode    mode
	lax     bool   // what comes may be missing
	missing bool   // a column that must be there
	wanted  int32  // columns of the type
	found   int32  // of them
	w       Writer // writing, or the names
	text    []byte // the columns not read yet, nil behind the last; or the object
	at      int    // in an object: the end of the last member read in order
	err     error  // of a value, or of the form of an object
}

type mode byte

const (
	writing mode = iota
	readColumns
	readObject
	naming
)

// writer returns a codec that appends to dst.
func writer(dst []byte, f Format) *codec { return &codec{w: f.Begin(dst)} }

// reader returns a codec that reads a line, without its end.
func reader(line []byte) *codec { return new(codec).readLine(line) }

// readLine makes a codec one that reads a line: reader, which is inlined, has it on the
// stack of who calls that.
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

// A MissingError is the error of a line that lacks columns.
type MissingError struct {
	Columns       string // the names of those that its type must have, with spaces between them
	Found, Wanted int    // how many there are, and must be
}

func (m *MissingError) Error() string {
	return fmt.Sprintf("want the columns %s, found %d of %d", m.Columns, m.Found, m.Wanted)
}

// end returns what was wrong with the line that was read. Columns is the method
// that visited it.
func end[T any](c *codec, columns func(*T, *codec) *codec) error {
	for c.mode == readObject && c.err == nil && c.at > 0 { // the members that nobody asked for
		_, c.at, c.err = object(c.text).next(c.at)
	}
	if c.missing && (c.err == nil || c.mode == readColumns) {
		names := codec{mode: naming}
		columns(new(T), &names)
		return &MissingError{Columns: strings.TrimSuffix(string(names.w.buf), " "), Found: int(c.found), Wanted: int(c.wanted)}
	}
	return c.err
}

// optional makes the columns that follow optional.
func (c *codec) optional() { c.lax = true }

// json reports whether columns are visited that only objects have.
func (c *codec) json() bool { return c.mode == readObject || c.mode == writing && c.w.format.JSON }

// has reports whether a line has some columns that not all lines of the type
// have: the value is to be written, the object has the member, or as many
// columns are left.
func (c *codec) has(value bool, name string, columns int) bool {
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
