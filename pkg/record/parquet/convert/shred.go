package convert

import (
	"encoding/json"

	pq "github.com/parquet-go/parquet-go"
)

// row takes a value apart into the values of all columns.
func (s *shape) row(v any) pq.Row {
	var column int
	var row pq.Row
	s.shred(v, 0, 0, 0, &column, &row)
	return row
}

// shred appends the values of all leaves below the shape, with the levels of
// the Dremel paper: at which repeated field a value repeats, and how many of
// the optional and repeated fields on its way are there. Column is the next
// leaf.
func (s *shape) shred(v any, rep, depth, def int, column *int, row *pq.Row) {
	switch s.kind {
	case object:
		fields, _ := v.(map[string]any)
		for _, name := range s.names() {
			s.fields[name].field(fields[name], rep, depth, def, column, row)
		}
	case list:
		s.shredList(v.([]any), rep, depth, def, column, row)
	default:
		*row = append(*row, s.leaf(v).Level(rep, def, *column))
		*column++
	}
}

// field shreds a value that may be null.
func (s *shape) field(v any, rep, depth, def int, column *int, row *pq.Row) {
	if v == nil {
		s.nulls(rep, def, column, row)
		return
	}
	s.shred(v, rep, depth, def+1, column, row)
}

func (s *shape) shredList(elems []any, rep, depth, def int, column *int, row *pq.Row) {
	if len(elems) == 0 {
		s.elem.nulls(rep, def, column, row)
		return
	}
	first := *column
	for i, e := range elems {
		if *column = first; i > 0 {
			rep = depth + 1
		}
		s.elem.field(e, rep, depth+1, def+1, column, row)
	}
}

// nulls appends a null for each leaf below the shape.
func (s *shape) nulls(rep, def int, column *int, row *pq.Row) {
	switch s.kind {
	case object:
		for _, name := range s.names() {
			s.fields[name].nulls(rep, def, column, row)
		}
	case list:
		s.elem.nulls(rep, def, column, row)
	default:
		*row = append(*row, pq.NullValue().Level(rep, def, *column))
		*column++
	}
}

func (s *shape) leaf(v any) pq.Value {
	switch v := v.(type) {
	case bool:
		return pq.BooleanValue(v)
	case string:
		return pq.ByteArrayValue([]byte(v))
	case json.Number:
		if s.kind == integer {
			n, _ := v.Int64() // it was one when it was learned
			return pq.Int64Value(n)
		}
		f, _ := v.Float64() // the decoder has checked it; too large is infinite
		return pq.DoubleValue(f)
	}
	return pq.NullValue()
}
