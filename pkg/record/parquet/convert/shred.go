package convert

import (
	"encoding/json"

	pq "github.com/parquet-go/parquet-go"
)

// A shredder converts JSON values to Parquet rows.
type shredder struct {
	columns [][]pq.Value // values of the row, by column
	row     pq.Row
}

// shred returns the row for a JSON value. The values of a column are adjacent in the row. The row
// is valid until the next call.
func (r *shredder) shred(s *shape, v any) pq.Row {
	for i := range r.columns {
		r.columns[i] = r.columns[i][:0]
	}
	var column int
	s.shred(v, 0, 0, 0, &column, r)
	r.row = r.row[:0]
	for _, values := range r.columns {
		r.row = append(r.row, values...)
	}
	return r.row
}

func (r *shredder) add(v pq.Value, column int) {
	for len(r.columns) <= column {
		r.columns = append(r.columns, nil)
	}
	r.columns[column] = append(r.columns[column], v)
}

// shred appends the values of all leaves below the shape, with their repetition and definition
// levels (see the Dremel paper). rep and def are the levels of v, and depth is the number of lists
// around it. *column is the index of the next leaf; shred advances it past the leaves below the
// shape.
func (s *shape) shred(v any, rep, depth, def int, column *int, row *shredder) {
	switch s.kind {
	case object:
		fields, _ := v.(map[string]any)
		for _, name := range s.names() {
			s.fields[name].field(fields[name], rep, depth, def, column, row)
		}
	case list:
		elems := v.([]any)
		if len(elems) == 0 {
			s.elem.nulls(rep, def, column, row)
		}
		first := *column
		for i, e := range elems {
			if *column = first; i > 0 {
				rep = depth + 1
			}
			s.elem.field(e, rep, depth+1, def+1, column, row)
		}
	default:
		value := pq.NullValue()
		switch v := v.(type) {
		case bool:
			value = pq.BooleanValue(v)
		case string:
			value = pq.ByteArrayValue([]byte(v))
		case json.Number: // learnNumber has checked that the column can hold the number
			if s.kind == integer {
				n, _ := v.Int64()
				value = pq.Int64Value(n)
			} else {
				f, _ := v.Float64()
				value = pq.DoubleValue(f)
			}
		}
		row.add(value.Level(rep, def, *column), *column)
		*column++
	}
}

// The method field is like shred, but v may be null, because the field is optional.
func (s *shape) field(v any, rep, depth, def int, column *int, row *shredder) {
	if v == nil {
		s.nulls(rep, def, column, row)
		return
	}
	s.shred(v, rep, depth, def+1, column, row)
}

// nulls appends a null for each leaf below the shape.
func (s *shape) nulls(rep, def int, column *int, row *shredder) {
	switch s.kind {
	case object:
		for _, name := range s.names() {
			s.fields[name].nulls(rep, def, column, row)
		}
	case list:
		s.elem.nulls(rep, def, column, row)
	default:
		row.add(pq.NullValue().Level(rep, def, *column), *column)
		*column++
	}
}
