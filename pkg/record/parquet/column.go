package parquet

import (
	"fmt"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/record/fieldpath"
	"doppel/pkg/record/parquet/convert"
	"doppel/pkg/record/parquet/pages"
	"doppel/pkg/record/write"
)

// A column is the leaf with the values of a wanted field.
type column struct {
	field string
	index int    // index of the leaf in the file
	lists []list // the lists on the path to the leaf, the outermost first
	def   int    // definition level of a present value
	kind  convert.Type
	part  *record.Partition // the value of all rows; nil if the values are in the file

	missing bool // a null is not an error of the column, but record.ErrMissing, or errNoValue for a value
	value   bool // the column is the value of --within or --across, not a text
}

// A list describes a Parquet list on the path to a leaf. The path selects one element of the list,
// or all elements.
type list struct {
	at  int // the index of the element, or fieldpath.All
	def int // definition level of a present element; an empty list has def-1
}

// findColumn returns the column at the end of a path. If the path does not lead to a column of
// texts, numbers or booleans, findColumn returns an error. Hints name the flag that sets the path.
func findColumn(f *pages.File, field, flag string) (column, error) {
	c, lists := f.Root(), []list(nil)
	for _, step := range fieldpath.Parse(field) {
		if step.Array {
			repeated, element := listOf(c, len(lists))
			if element == nil {
				return column{}, fieldpath.NoWay(field, kindOf(c), "an array")
			}
			c, lists = element, append(lists, list{step.At, repeated.MaxDefinitionLevel()})
		} else if above := c; c.Column(step.Key) == nil {
			return column{}, fieldpath.NoField(field, flag, columnsOf(nil, f.Root(), "", 0))
		} else if c = c.Column(step.Key); repeats(above, step.Key) {
			return column{}, fmt.Errorf("two columns have the name %q", step.Key)
		}
	}
	_, element := listOf(c, len(lists))
	switch {
	case element != nil || c.MaxRepetitionLevel() > len(lists):
		return column{}, fieldpath.NoText(field, "an array", columnsOf(nil, c, "", len(lists)))
	case !c.Leaf():
		return column{}, fieldpath.NoText(field, "an object", columnsOf(nil, c, "", len(lists)))
	}
	return column{field: field, index: c.Index(), kind: f.Types()[c.Index()], lists: lists, def: c.MaxDefinitionLevel()}, nil
}

// repeats reports whether a group has two columns of a name.
func repeats(group *pq.Column, name string) bool {
	n := 0
	for _, c := range group.Columns() {
		if c.Name() == name {
			n++
		}
	}
	return n > 1
}

// checkNames returns an error if two columns in a group have the same name, so that rows cannot become
// objects.
func checkNames(group *pq.Column) error {
	for _, c := range group.Columns() {
		if repeats(group, c.Name()) {
			return fmt.Errorf("two columns have the name %q, so rows cannot become objects", c.Name())
		}
		if err := checkNames(c); err != nil {
			return err
		}
	}
	return nil
}

// listOf returns the repeated column of the list c and the column of its elements, or nil if c is
// not a list. outer is the number of lists around c. If c is a repeated column without a list type,
// both results are c.
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

// kindOf describes the values of a column for an error message. The column is not a list.
func kindOf(c *pq.Column) string {
	if c.Leaf() {
		return "a value"
	}
	return "an object"
}

// columnsOf appends the paths of all columns inside c to a slice. path is the path of c itself, and
// lists is the number of lists around c. A map counts as one column.
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

// Parts are cut from texts while a file is copied. When a file is copied page by page, a cut
// affects only the page that contains the text: this page is encoded again. The footer of the copy
// has no minimum and maximum for the cut column, and does not claim that the rows are sorted by
// this column.

// cutsOf returns the cuts for reading f. The argument before is the result for the previous file,
// or nil if f is the first file.
func cutsOf(before *pages.Cuts, f *pages.File, cuts *write.Cuts) (*pages.Cuts, error) {
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
	if !convert.IsText(c.kind) {
		return nil, fmt.Errorf("field %q has the type %v: want strings to cut parts from", cuts.Field, f.Kind(c.index))
	}
	if before == nil {
		before = &pages.Cuts{Next: cuts.Reader()}
	}
	before.Leaf = c.index
	return before, nil
}
