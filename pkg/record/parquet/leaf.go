package parquet

import (
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// A leaf is a column that has values.
type leaf struct {
	path     []format.SchemaElement // from the root down
	rep, def int                    // the levels its values have at most
	kind     pq.Kind
}

// leavesOf returns the leaves of a file, in order.
func leavesOf(f *pq.File) (leaves []*leaf) {
	rest := f.Metadata().Schema
	var walk func(c *pq.Column, path []format.SchemaElement)
	walk = func(c *pq.Column, path []format.SchemaElement) {
		e := rest[0]
		rest = rest[1:]
		if c.Leaf() {
			if _, ok := e.LogicalType.Value.(*format.NullType); ok {
				e.LogicalType = format.LogicalType{} // parquet-go cannot write those
			}
			leaves = append(leaves, &leaf{append(slices.Clone(path), e), c.MaxRepetitionLevel(), c.MaxDefinitionLevel(), c.Type().Kind()})
			return
		}
		e.LogicalType, e.ConvertedType = format.LogicalType{}, format.SchemaElement{}.ConvertedType
		e.NumChildren.Set(1)
		for _, child := range c.Columns() {
			walk(child, append(slices.Clone(path), e))
		}
	}
	walk(f.Root(), nil)
	return leaves
}
