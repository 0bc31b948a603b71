package parquet

import (
	"errors"
	"os"
	"slices"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// errRuns is for what parquet-go decodes as other values, and without an error:
// of a run of n trues every eighth is true.
var errRuns = errors.New("booleans in run-length encoding cannot be read")

// refuseRuns returns an error if a wanted column has such booleans, as pyarrow
// writes them with data_page_version="2.0".
func refuseRuns(f *os.File, file *pq.File, wants func(leaf int) bool) error {
	leaves, groups := leavesOf(file), file.Metadata().RowGroups
	for i := range groups {
		g := &group{meta: &groups[i], rows: groups[i].NumRows}
		chunks, err := g.chunks(f, file.Size(), leaves)
		if err != nil {
			return err
		}
		for _, c := range chunks {
			if wants(c.index) && c.meta.Type == format.Boolean && slices.Contains(c.meta.Encoding, format.RLE) && c.hasRuns() {
				return c.fail(errRuns)
			}
		}
	}
	return nil
}

// hasRuns looks at the headers of all pages. What is wrong with one shows when
// it is read.
func (c *chunk) hasRuns() bool {
	for {
		p, err := c.pages.next()
		if err != nil {
			return false
		}
		if p.runs() {
			return true
		}
	}
}
