package line

import "fmt"

// Column returns the value of the nth column, from 1, of a line of any kind, or of the
// nth member of an object. An id that only begins as an object does is a column.
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

// nth returns the text of a member of an object, nil for none, and how many
// members there are.
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
