package line

import (
	"math"
	"strconv"

	"doppel/pkg/line/cell"
)

// A Writer builds a line of columns that are named as they are written. The
// kinds of lines in this package have types of their own, which use it; it is
// exported for tables that end a chain.
//
//	w := format.Begin(dst)
//	w.Bytes("id", id)
//	w.Int("words", n)
//	dst = w.End()
type Writer struct {
	buf    []byte
	format Format
}

// Begin begins a line behind what dst holds.
func (f Format) Begin(dst []byte) Writer {
	if f.JSON {
		dst = append(dst, '{')
	}
	return Writer{dst, f}
}

// End ends a line of one column or more, and returns what Begin was given with
// the line behind it.
func (w *Writer) End() []byte {
	end := byte('\n')
	if w.format.Null {
		end = 0
	}
	last := len(w.buf) - 1 // a TAB or comma
	if w.format.JSON {
		w.buf[last] = '}'
		return append(w.buf, end)
	}
	w.buf[last] = end
	return w.buf
}

// column writes the name of a column in the place of its value.
func (w *Writer) column(name string) { w.buf = append(append(w.buf, name...), '\t') }

// name writes what stands before a value.
func (w *Writer) name(name string) {
	if w.format.JSON {
		w.buf = append(append(append(w.buf, '"'), name...), `":`...)
	}
}

// next writes what stands behind a value.
func (w *Writer) next() {
	c := byte('\t')
	if w.format.JSON {
		c = ','
	}
	w.buf = append(w.buf, c)
}

// Bytes writes a value that may hold anything.
func (w *Writer) Bytes(name string, v []byte) {
	switch {
	case w.format.Names:
		w.column(name)
	case w.format.JSON:
		w.name(name)
		w.buf = append(cell.AppendJSON(w.buf, v), ',')
	case w.format.Null || cell.Plain(v):
		w.buf = append(append(w.buf, v...), '\t')
	default:
		w.buf = append(cell.AppendEscaped(w.buf, v), '\t')
	}
}

// Int writes a whole number.
func (w *Writer) Int(name string, v int64) {
	if w.format.Names {
		w.column(name)
		return
	}
	w.name(name)
	w.buf = strconv.AppendInt(w.buf, v, 10)
	w.next()
}

// Float writes a number with four decimals. JSON has no infinity and no NaN:
// there they are null.
func (w *Writer) Float(name string, v float64) {
	if w.format.Names || w.format.JSON && (math.IsNaN(v) || math.IsInf(v, 0)) {
		w.None(name)
		return
	}
	w.name(name)
	w.buf = cell.AppendFloat(w.buf, v)
	w.next()
}

// None writes that there is no value: "-", or null in JSON.
func (w *Writer) None(name string) {
	word := none
	if w.format.JSON {
		word = null
	}
	w.word(name, word)
}

// word writes what stands the same in both forms.
func (w *Writer) word(name, word string) {
	if w.format.Names {
		w.column(name)
		return
	}
	w.name(name)
	w.buf = append(w.buf, word...)
	w.next()
}
