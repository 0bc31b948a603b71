package line

import (
	"doppel/pkg/line/cell"
)

// bytes reads or writes a byte string, depending on the mode of the codec.
func (c *codec) bytes(name string, v *[]byte) {
	if c.mode == writing {
		c.w.Bytes(name, *v)
		return
	}
	*v = c.read(name)
}

// maybe is like bytes, for a value that may be missing; *v is nil if the value is missing.
func (c *codec) maybe(name string, v *[]byte) {
	switch {
	case c.mode == writing && *v == nil:
		c.w.None(name)
	case c.mode == writing && string(*v) == none && c.w.format == Format{}:
		c.w.writeWord(name, someNone)
	case c.mode == writing:
		c.w.Bytes(name, *v)
	default:
		*v = c.readMaybe(name)
	}
}

// int reads or writes a whole number.
func (c *codec) int(name string, v *int64) {
	if c.mode == writing {
		c.w.Int(name, *v)
		return
	}
	*v = 0
	if text := c.read(name); text != nil {
		n, ok := cell.ParseWhole(text)
		*v = n
		c.checkValue(ok, name, text)
	}
}

// float reads a number, or writes it with four decimals.
func (c *codec) float(name string, v *float64) {
	if c.mode == writing {
		c.w.Float(name, *v)
		return
	}
	*v = 0
	if text := c.read(name); text != nil {
		var ok bool
		*v, ok = cell.ParseDecimal(text)
		c.checkValue(ok, name, text)
	}
}

// number reads or writes a number that may be missing.
func (c *codec) number(name string, v *cell.Number) {
	if c.mode == writing {
		switch value, known := v.Float(); {
		case !known:
			c.w.None(name)
		case v.Text() != nil:
			c.w.writeWord(name, string(v.Text()))
		default:
			c.w.Float(name, value)
		}
		return
	}
	*v = cell.Number{}
	if text := c.readMaybe(name); text != nil {
		var ok bool
		*v, ok = cell.ParseNumber(text)
		c.checkValue(ok, name, text)
	}
}

// checkValue records an error if ok is false, which means that text is not a valid value of the
// column.
func (c *codec) checkValue(ok bool, name string, text []byte) {
	if !ok && c.err == nil {
		c.err = &ValueError{name, string(text), ""}
	}
}
