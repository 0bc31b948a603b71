package tsv

import (
	"strconv"
	"unicode/utf8"
)

// An Encoder builds lines column by column:
//
//	enc.Begin(dst)
//	enc.Bytes(a)
//	enc.Bytes(b)
//	enc.Float(score)
//	dst = enc.End()
//
// Each goroutine needs its own.
type Encoder struct {
	Stream Stream
	JSON   bool // objects instead of columns
	Null   bool // lines end in NUL

	buf []byte
	col int
}

// Begin starts a line behind what dst holds.
func (e *Encoder) Begin(dst []byte) {
	e.buf, e.col = dst, 0
}

// End ends the line and returns what Begin was given with the line behind it.
func (e *Encoder) End() []byte {
	if e.JSON {
		e.buf = append(e.buf, '}')
	}
	end := byte('\n')
	if e.Null {
		end = 0
	}
	return append(e.buf, end)
}

// next writes what stands before a column.
func (e *Encoder) next() {
	switch {
	case e.JSON && e.col == 0:
		e.buf = append(e.buf, '{')
	case e.JSON:
		e.buf = append(e.buf, ',')
	case e.col > 0:
		e.buf = append(e.buf, '\t')
	}
	if e.JSON {
		e.buf = append(append(append(e.buf, '"'), e.Stream[e.col]...), `":`...)
	}
	e.col++
}

// Bytes writes a value that may hold anything.
func (e *Encoder) Bytes(v []byte) {
	e.next()
	switch {
	case e.JSON:
		e.buf = AppendJSON(e.buf, v)
	case e.Null:
		e.buf = append(e.buf, v...) // a line feed in a name is no end here
	default:
		e.buf = AppendEscaped(e.buf, v)
	}
}

// Word writes a value that needs no escape.
func (e *Encoder) Word(v string) {
	e.next()
	if e.JSON {
		e.buf = append(append(append(e.buf, '"'), v...), '"')
		return
	}
	e.buf = append(e.buf, v...)
}

// Column writes a column that is escaped already.
func (e *Encoder) Column(v []byte) {
	if e.JSON {
		e.Bytes(Unescape(v))
		return
	}
	e.next()
	e.buf = append(e.buf, v...)
}

// Int writes a whole number.
func (e *Encoder) Int(v int64) {
	e.next()
	e.buf = strconv.AppendInt(e.buf, v, 10)
}

// Float writes a number with four decimals.
func (e *Encoder) Float(v float64) {
	e.next()
	e.buf = strconv.AppendFloat(e.buf, v, 'f', 4, 64)
}

// None writes that there is no value: "-", or null in JSON.
func (e *Encoder) None() {
	e.next()
	if e.JSON {
		e.buf = append(e.buf, "null"...)
		return
	}
	e.buf = append(e.buf, None...)
}

const hexDigits = "0123456789abcdef"

// AppendJSON appends v as a JSON string. A byte that is not UTF-8 becomes the
// lone surrogate U+DC00 + byte, so that nothing is lost; Python's
// surrogateescape reads it back.
func AppendJSON(dst, v []byte) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(v); {
		c := v[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = appendControl(dst, c)
		case c < utf8.RuneSelf:
			dst = append(dst, c)
		default:
			r, n := utf8.DecodeRune(v[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(dst, '\\', 'u', 'd', 'c', hexDigits[c>>4], hexDigits[c&15])
			} else {
				dst = append(dst, v[i:i+n]...)
			}
			i += n
			continue
		}
		i++
	}
	return append(dst, '"')
}

func appendControl(dst []byte, c byte) []byte {
	if e := escapes[c]; e != 0 {
		return append(dst, '\\', e)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
