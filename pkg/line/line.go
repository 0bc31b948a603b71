// Package line writes and reads the lines that tools exchange. Each kind of line has a type;
// its fields hold the unescaped values of the columns.
//
// A line consists of columns separated by TABs; in a column TAB, LF, CR and backslash are
// written \t \n \r \\, and all other bytes are unchanged. Or it is a JSON object with the
// same columns as members, in which a byte that is not UTF-8 is written as the lone
// surrogate U+DC00 + byte, as in Python's surrogateescape. Section 5 of the manual has a
// page for each kind.
//
// Each type has a method columns that names its columns once, in order; the writer and the
// reader both call it with their codec, which it returns. Append appends the line of a
// value to dst, and Parse reads a line without its end. Both call columns on the concrete
// type, so nothing moves to the heap: a line without escapes is written and read without
// allocation. Values stored by Parse are parts of the line if nothing is escaped, so they
// are valid only as long as the line.
//
// A reader accepts either form. A line that starts with { and contains no TAB is an object:
// its members may be in any order, and others may be among them; a value may be a string or
// a number, and null means absent. Columns beyond the type's columns are ignored.
//
// On one core of a shared virtual machine (AMD EPYC, go test -bench Lines, best of eight) a
// pair of ids takes 31 ns to write and 41 ns to read; as an object it takes 46 and 116 ns.
// A line of seven columns takes 170 ns to write, most of it for its three numbers with
// decimals; as an object it is read at 230 MB/s.
package line

// A Format selects how lines are written.
type Format struct {
	JSON bool // objects instead of columns
	Null bool // lines end in NUL, and columns are not escaped, so names may contain line feeds

	// Names writes the names of the columns of a line instead of its values: the first line
	// of a table. It has no effect on objects, which name their members anyway.
	Names bool
}

// A missing value, in a column and in an object.
const (
	none = "-"
	null = "null"
)

// someNone is the value - in a column with optional values.
const someNone = `\-`
