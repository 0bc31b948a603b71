package line

import "fmt"

// Column returns the value of the nth column of a line of any kind, or of the nth member of an
// object, counting from 1. A line that starts like an object but has invalid syntax is read as
// columns.
func Column(line []byte, n int) ([]byte, error) {
	c := reader(line)
	if c.mode == readObject {
		if text, found, err := c.nth(n); err == nil {
			value, err := scalar(text)
			if value == nil && err == nil {
				err = fmt.Errorf("want %d columns, found %d", n, found)
			}
			return value, err
		}
		*c = codec{mode: readColumns, text: line}
	}
	found := 0
	for found < n {
		value := c.column()
		if value == nil {
			break
		}
		if found++; found == n {
			return value, nil
		}
	}
	return nil, fmt.Errorf("want %d columns, found %d", n, found)
}

// nth returns the text of the nth member of an object, and the number of members. The text is nil
// if the object has fewer than n members.
func (c *codec) nth(n int) (text []byte, members int, err error) {
	for {
		m, end, err := object(c.text).next(c.at)
		if err != nil || end == 0 {
			return text, members, err
		}
		if members++; members == n {
			text = m.value
		}
		c.at = end
	}
}
