package parquet

import (
	"fmt"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/record/fieldpath"
	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/parquet/pages"
)

// A column is a wanted leaf.
type column struct {
	field string
	index int    // index among the leaves
	lists []list // lists on the way to the leaf, the outermost first
	def   int    // definition level of a present value
}

// A list is a list with wanted values in all of its elements, or in one.
type list struct {
	at  int // the index of the element, or fieldpath.All
	def int // definition level of a present element; an empty list has def-1
}

// findColumn returns the leaf at a path, which must hold texts, numbers or booleans. flag
// is the flag that named the path, for errors.
func findColumn(f *pages.File, field, flag string) (column, error) {
	c, lists := f.Root(), []list(nil)
	for _, step := range fieldpath.Parse(field) {
		if step.Array {
			repeated, element := listOf(c, len(lists))
			if element == nil {
				return column{}, fieldpath.NoWay(field, kindOf(c), "an array")
			}
			c, lists = element, append(lists, list{step.At, repeated.MaxDefinitionLevel()})
		} else if c = c.Column(step.Key); c == nil {
			return column{}, fieldpath.NoField(field, flag, columnsOf(nil, f.Root(), "", 0))
		}
	}
	_, element := listOf(c, len(lists))
	switch {
	case element != nil || c.MaxRepetitionLevel() > len(lists):
		return column{}, fieldpath.NoText(field, "an array", columnsOf(nil, c, "", len(lists)))
	case !c.Leaf():
		return column{}, fieldpath.NoText(field, "an object", columnsOf(nil, c, "", len(lists)))
	}
	return column{field, c.Index(), lists, c.MaxDefinitionLevel()}, nil
}

// listOf returns the repeated column of a list that is inside outer other lists, and its
// element, or nil if c is not a list. Either may be c itself.
func listOf(c *pq.Column, outer int) (repeated, element *pq.Column) {
	switch {
	case convert.IsList(c):
		repeated = c.Columns()[0]
		if convert.IsElement(repeated) {
			return repeated, repeated
		}
		return repeated, repeated.Columns()[0]
	case c.Repeated() && c.MaxRepetitionLevel() > outer:
		return c, c
	}
	return nil, nil
}

// kindOf returns the kind of the values of a column that is not a list.
func kindOf(c *pq.Column) string {
	if c.Leaf() {
		return "a value"
	}
	return "an object"
}

// columnsOf appends the paths of the columns inside c, which is at path and inside this number
// of lists. A map is one column.
func columnsOf(paths []string, c *pq.Column, path string, lists int) []string {
	if _, element := listOf(c, lists); element != nil {
		return columnsOf(paths, element, path+"[]", lists+1)
	}
	if path != "" && (c.Leaf() || c.Type().LogicalType() != nil) {
		return append(paths, path)
	}
	for _, child := range c.Columns() {
		name := fieldpath.Escape(child.Name())
		if path != "" {
			name = path + "." + name
		}
		paths = columnsOf(paths, child, name, lists)
	}
	return paths
}

// Cutting texts is a copy in which the pages of one column are encoded again if one of
// their texts loses anything; all other columns are copied unchanged. The sort order and
// the minimum and maximum of the cut column are left out.

// cutsOf returns the cuts of a file. They continue before, the cuts of the previous file,
// or nil for the first.
func cutsOf(before *pages.Cuts, f *pages.File, cuts *record.Cuts) (*pages.Cuts, error) {
	if cuts == nil {
		return nil, nil
	}
	c, err := findColumn(f, cuts.Field, "--field")
	if err != nil {
		return nil, err
	}
	if c.lists != nil {
		return nil, fmt.Errorf("field %q leads into an array: want a path to one string", cuts.Field)
	}
	if kind := f.Kind(c.index); kind != pq.ByteArray {
		return nil, fmt.Errorf("field %q has the type %v: want strings to cut parts from", cuts.Field, kind)
	}
	if before == nil {
		before = &pages.Cuts{Next: cuts.Reader()}
	}
	before.Leaf = c.index
	return before, nil
}
