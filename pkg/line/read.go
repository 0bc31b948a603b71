package line

import (
	"bytes"
	"errors"
	"fmt"

	"doppel/pkg/line/cell"
)

// read returns the value of the next column, or of the member with this name. If the value is
// missing, read returns nil, and records a missing column unless the column is optional.
func (c *codec) read(name string) []byte {
	value, _ := c.lookUp(name)
	c.countRequired(value != nil, value == nil)
	return value
}

// readMaybe is like read, for a value that may be missing: "-", null, or an absent member.
func (c *codec) readMaybe(name string) []byte {
	isNone, isSome := c.nextIs(none), c.nextIs(someNone)
	value, there := c.lookUp(name)
	c.countRequired(there, !there && c.mode == readColumns)
	switch {
	case isNone:
		return nil
	case isSome:
		return value[len(someNone)-len(none):]
	}
	return value
}

// nextIs reports whether the text of the next column is equal to word.
func (c *codec) nextIs(word string) bool {
	n := len(word)
	return c.mode == readColumns && len(c.text) >= n && string(c.text[:n]) == word && (len(c.text) == n || c.text[n] == '\t')
}

func (c *codec) countRequired(found, missing bool) {
	if c.lax {
		return
	}
	c.wanted++
	if found {
		c.found++
	}
	c.missing = c.missing || missing
}

// lookUp returns the value of the next column or of a member, or nil if the value is null or
// absent. It also reports whether the line has the column or member.
func (c *codec) lookUp(name string) (value []byte, there bool) {
	switch c.mode {
	case readColumns:
		value = c.column()
		return value, value != nil
	case readObject:
		text, end := c.find(name)
		if end > 0 {
			c.at = end
		}
		value, err := scalar(text)
		if err != nil && c.err == nil {
			c.err = fmt.Errorf("%s: %w", name, err)
		}
		return value, text != nil
	}
	if !c.lax {
		c.w.buf = append(append(c.w.buf, name...), ' ')
	}
	return nil, false
}

// column returns the next column, or nil after the last one.
func (c *codec) column() []byte {
	n := bytes.IndexByte(c.text, '\t')
	if n < 0 {
		last := c.text
		if c.text = nil; last == nil {
			return nil
		}
		return cell.Unescape(last)
	}
	column := c.text[:n:n]
	c.text = c.text[n+1:]
	return cell.Unescape(column)
}

// scalar returns the value of a JSON string or number, given its text. It returns nil for null.
func scalar(text []byte) ([]byte, error) {
	switch {
	case text == nil || string(text) == null:
		return nil, nil
	case text[0] == '"':
		return cell.Unquote(text[1 : len(text)-1 : len(text)-1])
	case text[0] == '-' || '0' <= text[0] && text[0] <= '9':
		return text, nil
	}
	return nil, errors.New("want a string or a number")
}

// find returns the text of a member, or nil if the object lacks it. If the member directly follows
// the last member read, find also returns its end. Otherwise end is 0, and find searches the object
// from the start, so it finds the first of two members with the same name.
func (c *codec) find(name string) (text []byte, end int) {
	if m, end, err := object(c.text).next(c.at); err == nil && end > 0 && m.is(name) {
		return m.value, end
	}
	for at := start; c.err == nil; {
		m, end, err := object(c.text).next(at)
		if c.err = err; end == 0 {
			break
		}
		if m.is(name) {
			return m.value, 0
		}
		at = end
	}
	return nil, 0
}

func (m member) is(name string) bool {
	if string(m.key) == name {
		return true
	}
	key, err := cell.Unquote(m.key)
	return err == nil && string(key) == name
}

// either returns the second name if the object has a member with that name and none with the first
// name. Otherwise, it returns the first name.
func (c *codec) either(name, other string) string {
	if c.mode == readObject && !c.hasColumns(false, name, 0) && c.hasColumns(false, other, 0) {
		return other
	}
	return name
}
