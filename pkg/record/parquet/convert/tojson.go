package convert

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/line/cell"
	"doppel/pkg/record"
	"doppel/pkg/record/jsonscan"
	"doppel/pkg/record/parquet/pages"
	"doppel/pkg/record/write"
)

// Lines writes the selected rows of a file, without the parts to cut, as JSON objects, one per
// line. first is the ordinal of the file's first row. Fields are in the order of the schema. Groups
// and maps become objects, and lists become arrays. Timestamps are written in UTC as in RFC 3339,
// dates as YYYY-MM-DD, decimals as text, and bytes without a text type in base64. The objects also
// have the given fields, after those of the file.
func Lines(w io.Writer, file *pages.File, parts []record.Partition, first int64, what write.Selection, cuts *pages.Cuts) error {
	objects := NewObjects(file, parts)
	var line []byte
	var sizes *jsonscan.Extender
	if what.Sized.Adds() {
		sizes = jsonscan.NewExtender(what.Sized.Force, what.Sized.Field)
	}
	for _, g := range file.Groups {
		err := g.Each(0, g.Rows(), func(i int64, row pq.Row) error {
			if !what.Keep(first + i) {
				return nil
			}
			if err := cuts.Apply(first+i, row); err != nil {
				return err
			}
			var err error
			if line, err = objects.Append(line[:0], row); err != nil {
				return err
			}
			made := line
			if sizes != nil {
				if made, err = sizes.Extend(line, strconv.AppendInt(nil, what.Sized.Size(first+i), 10)); err != nil {
					return err
				}
			}
			made = append(made, '\n')
			for range what.Sized.Repeated(first + i) {
				if _, err := w.Write(made); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		first += g.Rows()
	}
	return nil
}

// Objects appends the rows of a file as JSON objects, as Lines writes them. It is not safe for
// concurrent use.
type Objects struct {
	file    *pages.File
	types   rowTypes
	parts   []record.Partition
	columns [][]pq.Value // values of the row, by column
}

// NewObjects returns an Objects for the rows of a file. The objects also have the given fields,
// after those of the file.
func NewObjects(file *pages.File, parts []record.Partition) *Objects {
	return &Objects{file, file.Types(), parts, make([][]pq.Value, file.Columns())}
}

// Append appends a row to dst. It returns an error if the row is damaged.
func (o *Objects) Append(dst []byte, row pq.Row) (_ []byte, err error) {
	row.Range(func(column int, values []pq.Value) bool {
		o.columns[column] = values
		return true
	})
	start := len(dst)
	if dst, err = o.types.appendGroup(dst, o.file.Schema(), o.columns, 0, 0); err != nil {
		return nil, err
	}
	for _, p := range o.parts {
		if dst[len(dst)-1] = ','; len(dst) == start+2 {
			dst = dst[:start+1]
		}
		dst = append(append(cell.AppendJSON(dst, []byte(p.Name)), ':'), p.JSON()...)
		dst = append(dst, '}')
	}
	return dst, nil
}

// leaves returns the number of leaf columns of a node.
func leaves(n pq.Node) (count int) {
	if n.Leaf() {
		return 1
	}
	for _, f := range n.Fields() {
		count += leaves(f)
	}
	return count
}

// rowTypes holds the types of the columns of a file. Its methods append values as JSON.
type rowTypes []Type

// appendGroup appends a group as an object. columns holds the values of the group's leaves in one
// instance of the group, and rep and def are the repetition and definition levels of the group. If
// lists in the leaves have different lengths, the file is damaged, and appendGroup returns an
// error.
func (t rowTypes) appendGroup(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) (_ []byte, err error) {
	dst = append(dst, '{')
	for i, f := range n.Fields() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(cell.AppendJSON(dst, []byte(f.Name())), ':')
		k := leaves(f)
		if dst, err = t.appendNode(dst, f, columns[:k], rep, def); err != nil {
			return nil, err
		}
		columns = columns[k:]
	}
	return append(dst, '}'), nil
}

// appendNode appends a field, which may be null or repeated.
func (t rowTypes) appendNode(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) ([]byte, error) {
	switch {
	case len(columns) == 0: // a group without columns
		return append(dst, "{}"...), nil
	case n.Optional():
		if columns[0][0].DefinitionLevel() <= def {
			return append(dst, "null"...), nil
		}
		def++
	}
	if n.Repeated() {
		return appendRepeated(dst, "[]", columns, rep, def, func(dst []byte, element [][]pq.Value) ([]byte, error) {
			return t.appendPresent(dst, n, element, rep+1, def+1)
		})
	}
	return t.appendPresent(dst, n, columns, rep, def)
}

// appendPresent appends a field that is not null, or one instance of a repeated field.
func (t rowTypes) appendPresent(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) ([]byte, error) {
	switch {
	case n.Leaf():
		if len(columns[0]) != 1 || columns[0][0].IsNull() {
			return nil, pages.ErrDamaged
		}
		return appendScalar(dst, t[columns[0][0].Column()], columns[0][0]), nil
	case IsList(n):
		n := n.Fields()[0]
		old := IsElement(n)
		return appendRepeated(dst, "[]", columns, rep, def, func(dst []byte, element [][]pq.Value) ([]byte, error) {
			if old {
				return t.appendPresent(dst, n, element, rep+1, def+1)
			}
			return t.appendNode(dst, n.Fields()[0], element, rep+1, def+1)
		})
	case isMap(n): // a map becomes an object, and its keys become strings
		pair, keys := n.Fields()[0].Fields(), map[string]bool{}
		return appendRepeated(dst, "{}", columns, rep, def, func(dst []byte, values [][]pq.Value) ([]byte, error) {
			key := AppendText(nil, t[values[0][0].Column()], values[0][0])
			if keys[string(key)] {
				return nil, fmt.Errorf("field %q: a map with two values for the key %.40q, which a JSON object cannot hold", n.(pq.Field).Name(), key)
			}
			keys[string(key)] = true
			if dst = append(cell.AppendJSON(dst, key), ':'); len(pair) == 1 { // a map without values is a set
				return append(dst, "null"...), nil
			}
			return t.appendNode(dst, pair[1], values[1:], rep+1, def+1)
		})
	}
	return t.appendGroup(dst, n, columns, rep, def)
}

// appendRepeated appends the instances of a repeated field between two brackets. An instance starts
// at each value whose repetition level is at most rep+1, the level of the field. appendRepeated
// splits the columns into instances. The last argument appends an instance.
func appendRepeated(dst []byte, brackets string, columns [][]pq.Value, rep, def int, one func(dst []byte, element [][]pq.Value) ([]byte, error)) (_ []byte, err error) {
	if columns[0][0].DefinitionLevel() <= def {
		return append(dst, brackets...), nil
	}
	dst = append(dst, brackets[0])
	rest, element := slices.Clone(columns), make([][]pq.Value, len(columns))
	for i := 0; len(rest[0]) > 0; i++ {
		for k, values := range rest {
			if len(values) == 0 {
				return nil, pages.ErrDamaged // one column has fewer instances of the repeated field than another
			}
			n := 1
			for n < len(values) && values[n].RepetitionLevel() > rep+1 {
				n++
			}
			element[k], rest[k] = values[:n], values[n:]
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = one(dst, element); err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(rest, func(values []pq.Value) bool { return len(values) > 0 }) {
		return nil, pages.ErrDamaged
	}
	return append(dst, brackets[1]), nil
}

// IsList reports whether a node has the list type of Parquet, which is a group around one repeated
// field.
func IsList(n pq.Node) bool {
	_, ok := logical(n).(*format.ListType)
	return ok && len(n.Fields()) == 1 && n.Fields()[0].Repeated()
}

// IsElement reports whether the repeated field of a list is the element itself, as old writers
// wrote it, and not a group around the element.
func IsElement(repeated pq.Field) bool {
	return repeated.Leaf() || len(repeated.Fields()) != 1 || repeated.Name() == "array" || strings.HasSuffix(repeated.Name(), "_tuple")
}

// isMap reports whether a node has the map type of Parquet, which is a group around repeated pairs.
// The pairs may lack values.
func isMap(n pq.Node) bool {
	if _, ok := logical(n).(*format.MapType); !ok || len(n.Fields()) != 1 || !n.Fields()[0].Repeated() {
		return false
	}
	pair := n.Fields()[0].Fields()
	return (len(pair) == 1 || len(pair) == 2) && pair[0].Leaf()
}

func logical(n pq.Node) format.LogicalTypeValue {
	if t := n.Type().LogicalType(); t != nil {
		return t.Value
	}
	return nil
}
