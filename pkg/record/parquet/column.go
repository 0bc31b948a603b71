package parquet

import (
	"fmt"
	"strings"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/record/fieldpath"
	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/parquet/pages"
)

// A column is a wanted leaf.
type column struct {
	field string
	index int // among the leaves
}

// findColumn returns the leaf at a path that the flag names. It must hold one
// value a row: a text, a number or a boolean.
func findColumn(f *pages.File, field, flag string) (column, error) {
	c := f.Root()
	for _, name := range fieldpath.Split(field) {
		if c = c.Column(name); c == nil {
			return column{}, fieldpath.NoField(field, flag, columnsOf(f.Root(), ""))
		}
	}
	switch {
	case c.MaxRepetitionLevel() > 0 || convert.IsList(c):
		return column{}, fieldpath.NoText(field, fieldpath.List, nil)
	case !c.Leaf() && c.MaxRepetitionLevel() == 0:
		return column{}, fieldpath.NoText(field, "an object", columnsOf(c, ""))
	}
	return column{field, c.Index()}, nil
}

// columnsOf returns the paths of the columns below a group. A list or a map is one.
func columnsOf(group *pq.Column, before string) (paths []string) {
	for _, c := range group.Columns() {
		path := before + strings.ReplaceAll(c.Name(), ".", `\.`)
		if c.Leaf() || c.MaxRepetitionLevel() > 0 || c.Type().LogicalType() != nil {
			paths = append(paths, path)
		} else {
			paths = append(paths, columnsOf(c, path+".")...)
		}
	}
	return paths
}

// maxRunBytes is how much the rows of a run may hold.
const maxRunBytes = 1 << 30

// column reads one column of the run and hands each value to set. A null is
// the error of its record. Texts are not copied.
func (r *run) column(b *record.Batch, c column, set func(*record.Record, []byte)) error {
	if r.source.file.Texts(c.index) {
		for _, p := range r.pages {
			if p.leaf != c.index {
				continue
			}
			err := p.page.Each(r.first, r.first+r.n, func(row int64, text []byte) bool {
				c.set(&b.Records[row-r.first], text, set)
				return true
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
	spans := make([][2]int, 0, r.n)
	err := r.group.Values(c.index, r.first, r.n, func(values []pq.Value) error {
		for _, v := range values {
			start, end := 0, -1 // of a null
			if !v.IsNull() {
				start, end = b.Append(func(dst []byte) []byte { return convert.AppendValue(dst, v) })
			}
			spans = append(spans, [2]int{start, end})
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, sp := range spans {
		var v []byte
		if sp[1] >= 0 {
			v = b.Bytes(sp[0], sp[1])
		}
		c.set(&b.Records[i], v, set)
	}
	return nil
}

// set passes a value of the column on, or makes a null the error of its record.
func (c *column) set(rec *record.Record, v []byte, set func(*record.Record, []byte)) {
	if v != nil {
		set(rec, v)
	} else if rec.Err == nil {
		rec.Err = fmt.Errorf("field %q is null, not a string", c.field)
	}
}
