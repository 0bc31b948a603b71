package parquet

import (
	"errors"
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
	case !c.Leaf() && c.MaxRepetitionLevel() == 0:
		return column{}, fieldpath.NoText(field, "an object", columnsOf(c, ""))
	case c.MaxRepetitionLevel() > 0:
		return column{}, fieldpath.NoText(field, "an array", nil)
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

// maxRunBytes is how much a run may hold: a page of few bytes may have the same
// text many times.
const maxRunBytes = 1 << 30

func checkRun(size int) error {
	if size > maxRunBytes {
		return errors.New("rows of more than 1 GiB in one run")
	}
	return nil
}

// column reads one column of the run and hands each value to set. A null is
// the error of its record.
func (r *run) column(b *record.Batch, c column, set func(*record.Record, []byte)) error {
	spans := make([][2]int, 0, r.n)
	size := 0
	err := r.group.Values(c.index, r.first, int64(r.n), func(values []pq.Value) error {
		for _, v := range values {
			start, end := 0, -1 // of a null
			if !v.IsNull() {
				start, end = b.Append(func(dst []byte) []byte { return convert.AppendValue(dst, v) })
				size += end - start
			}
			spans = append(spans, [2]int{start, end})
		}
		return checkRun(size)
	})
	if err != nil {
		return err
	}
	for i, sp := range spans {
		rec := &b.Records[i]
		switch {
		case sp[1] >= 0:
			set(rec, b.Bytes(sp[0], sp[1]))
		case rec.Err == nil:
			rec.Err = fmt.Errorf("field %q is null, not a string", c.field)
		}
	}
	return nil
}
