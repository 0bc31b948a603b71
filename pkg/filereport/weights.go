package filereport

import (
	"slices"

	"doppel/pkg/report"
)

// The ranges of the sizes of files in bytes. The last one has no end.
var (
	weightLabels = [...]string{"<1 kB", "1–10 kB", "10–100 kB", "0.1–1 MB", "1–10 MB", "10–100 MB", "0.1–1 GB", "≥1 GB"}
	weightEnds   = []int64{999, 9999, 99_999, 999_999, 9_999_999, 99_999_999, 999_999_999}
)

// A weightCount is what the copies of files of each range of sizes take.
type weightCount [len(weightLabels)]report.Weight

// add counts copies of a file of a size.
func (c *weightCount) add(copies, size int64) {
	at, _ := slices.BinarySearch(weightEnds, size)
	c[at].Copies += copies
	c[at].Freed += copies * size
}

// rows returns the ranges up to the last one that has copies.
func (c weightCount) rows() []report.Weight {
	end := 0
	for i := range c {
		if c[i].Label = weightLabels[i]; c[i].Copies > 0 {
			end = i + 1
		}
	}
	return c[:end]
}
