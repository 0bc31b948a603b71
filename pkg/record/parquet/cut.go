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

// cutsIn returns what is cut out of a file, and of those of the same schema behind it.
func cutsIn(f *pages.File, cuts *record.Cuts) (*pages.Cuts, error) { return cutsOf(nil, f, cuts) }

// cutsOf is cutsIn for a file behind others, whose cuts go on here.
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
		before = &pages.Cuts{Next: nextOf(cuts)}
	}
	before.Leaf = c.index
	return before, nil
}

// nextOf returns what reads cuts.
func nextOf(cuts *record.Cuts) func() (pages.Cut, error) {
	next := cuts.Reader()
	return func() (pages.Cut, error) {
		c, err := next()
		to := pages.Cut{Row: c.Ordinal, Parts: make([][2]int, len(c.Parts))}
		for i, p := range c.Parts {
			to.Parts[i] = [2]int{p.Start, p.End}
		}
		return to, err
	}
}
