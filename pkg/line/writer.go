package line

import (
	"math"
	"strconv"

	"doppel/pkg/line/cell"
)

// A Writer builds a line. The caller passes each column with its name. The types of this package
// use a Writer, and tools use a Writer to print other tables.
//
//	w := format.Begin(dst)
//	w.Bytes("id", id)
//	w.Int("words", n)
//	dst = w.End()
type Writer struct {
	buf    []byte
	format Format
}

// Begin returns a Writer that appends a line to dst.
func (f Format) Begin(dst []byte) Writer {
	if f.JSON {
		dst = append(dst, '{')
	}
	return Writer{dst, f}
}

// End ends a line of at least one column, and returns the slice given to Begin with the
// line appended.
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

// writeColumnName writes the name of a column instead of its value.
func (w *Writer) writeColumnName(name string) { w.buf = append(append(w.buf, name...), '\t') }

// writeName writes the name of a member and a colon. For a column, it writes nothing.
func (w *Writer) writeName(name string) {
	if w.format.JSON {
		w.buf = append(append(append(w.buf, '"'), name...), `":`...)
	}
}

// writeSeparator writes a comma after a member, or a TAB after a column.
func (w *Writer) writeSeparator() {
	c := byte('\t')
	if w.format.JSON {
		c = ','
	}
	w.buf = append(w.buf, c)
}

// Bytes writes a value of arbitrary bytes, escaped if the format requires it.
func (w *Writer) Bytes(name string, v []byte) {
	switch {
	case w.format.Names:
		w.writeColumnName(name)
	case w.format.JSON:
		w.writeName(name)
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
		w.writeColumnName(name)
		return
	}
	w.writeName(name)
	w.buf = strconv.AppendInt(w.buf, v, 10)
	w.writeSeparator()
}

// Float writes a number with four decimals. In JSON, infinities and NaN become null.
func (w *Writer) Float(name string, v float64) {
	if w.format.Names || w.format.JSON && (math.IsNaN(v) || math.IsInf(v, 0)) {
		w.None(name)
		return
	}
	w.writeName(name)
	w.buf = cell.AppendFloat(w.buf, v)
	w.writeSeparator()
}

// None writes a missing value: "-", or null in JSON.
func (w *Writer) None(name string) {
	word := none
	if w.format.JSON {
		word = null
	}
	w.writeWord(name, word)
}

// writeWord writes a value that needs no quotes or escapes in either form.
func (w *Writer) writeWord(name, word string) {
	if w.format.Names {
		w.writeColumnName(name)
		return
	}
	w.writeName(name)
	w.buf = append(w.buf, word...)
	w.writeSeparator()
}
