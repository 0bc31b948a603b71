package convert

import (
	"io"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"doppel/pkg/line/cell"
	"doppel/pkg/record/parquet/pages"
)

// Lines writes the rows of a file for whose number, which is first for its first,
// keep returns true, without the cuts, as JSON objects, a line each, with the fields in
// the order of the schema: groups and maps as objects, lists as arrays, timestamps in
// RFC 3339 and UTC, dates as YYYY-MM-DD, decimals as text, and bytes that are no UTF-8
// as base64.
func Lines(w io.Writer, file *pages.File, first int64, keep func(row int64) bool, cuts *pages.Cuts) error {
	l := lines{schema: file.Schema(), columns: make([][]pq.Value, file.Columns())}
	for _, g := range file.Groups() {
		err := g.Each(0, g.Rows(), func(i int64, row pq.Row) error {
			if !keep(first + i) {
				return nil
			}
			if err := cuts.Apply(first+i, row); err != nil {
				return err
			}
			return l.write(w, row)
		})
		if err != nil {
			return err
		}
		first += g.Rows()
	}
	return nil
}

// lines makes lines of rows.
type lines struct {
	schema  *pq.Schema
	columns [][]pq.Value // of the row
	line    []byte
}

func (l *lines) write(w io.Writer, row pq.Row) error {
	row.Range(func(column int, values []pq.Value) bool {
		l.columns[column] = values
		return true
	})
	var err error
	if l.line, err = appendGroup(l.line[:0], l.schema, l.columns, 0, 0); err != nil {
		return err
	}
	l.line = append(l.line, '\n')
	_, err = w.Write(l.line)
	return err
}

// leaves returns how many columns a node has.
func leaves(n pq.Node) (count int) {
	if n.Leaf() {
		return 1
	}
	for _, f := range n.Fields() {
		count += leaves(f)
	}
	return count
}

// appendGroup appends a group as an object. Columns are the values of its
// leaves in this instance, rep and def the levels at which it stands. A group
// whose leaves disagree how many elements a list has is damaged.
func appendGroup(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) (_ []byte, err error) {
	dst = append(dst, '{')
	for i, f := range n.Fields() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(cell.AppendJSON(dst, []byte(f.Name())), ':')
		k := leaves(f)
		if dst, err = appendNode(dst, f, columns[:k], rep, def); err != nil {
			return nil, err
		}
		columns = columns[k:]
	}
	return append(dst, '}'), nil
}

// appendNode appends a field.
func appendNode(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) ([]byte, error) {
	switch {
	case len(columns) == 0: // a group of nothing
		return append(dst, "{}"...), nil
	case n.Optional():
		if columns[0][0].DefinitionLevel() <= def {
			return append(dst, "null"...), nil
		}
		def++
	}
	if n.Repeated() {
		return appendElements(dst, n, columns, rep, def, appendPresent)
	}
	return appendPresent(dst, n, columns, rep, def)
}

// appendPresent appends a field that is there, once.
func appendPresent(dst []byte, n pq.Node, columns [][]pq.Value, rep, def int) ([]byte, error) {
	switch {
	case n.Leaf():
		if len(columns[0]) != 1 || columns[0][0].IsNull() {
			return nil, pages.ErrDamaged
		}
		return appendScalar(dst, n, columns[0][0]), nil
	case IsList(n):
		return appendElements(dst, n.Fields()[0], columns, rep, def, appendElement)
	case isMap(n):
		return appendMap(dst, n.Fields()[0], columns, rep, def)
	}
	return appendGroup(dst, n, columns, rep, def)
}

// IsList reports whether a node is what is written of a list: a group around what is
// repeated.
func IsList(n pq.Node) bool {
	_, ok := logical(n).(*format.ListType)
	return ok && len(n.Fields()) == 1 && n.Fields()[0].Repeated()
}

func isMap(n pq.Node) bool {
	_, ok := logical(n).(*format.MapType)
	return ok && len(n.Fields()) == 1 && n.Fields()[0].Repeated() && len(n.Fields()[0].Fields()) == 2 && n.Fields()[0].Fields()[0].Leaf()
}

func logical(n pq.Node) format.LogicalTypeValue {
	if t := n.Type().LogicalType(); t != nil {
		return t.Value
	}
	return nil
}
