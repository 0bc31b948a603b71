package parquet

import (
	"fmt"

	pq "github.com/parquet-go/parquet-go"

	"doppel/pkg/record"
	"doppel/pkg/record/parquet/pages"
)

// Cutting parts out of texts is a copy in which the pages of one column are made
// anew where a text of theirs loses anything; all other columns are copied as they
// are. What says how the column is sorted, and what its least and greatest texts are,
// is left out.

// cutsOf returns what is cut out of a file. Those of the files before it, which are nil
// for the first, go on there.
func cutsOf(before *pages.Cuts, f *pages.File, cuts *record.Cuts) (*pages.Cuts, error) {
	if cuts == nil {
		return nil, nil
	}
	c, err := findColumn(f, cuts.Field, "--field")
	if err != nil {
		return nil, err
	}
	if kind := f.Kind(c.index); kind != pq.ByteArray {
		return nil, fmt.Errorf("field %q has values of the type %v: parts are cut out of texts", cuts.Field, kind)
	}
	if before == nil {
		before = &pages.Cuts{Next: cuts.Reader()}
	}
	before.Leaf = c.index
	return before, nil
}
