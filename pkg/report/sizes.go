package report

import "slices"

// SizeCounts are groups, counted by ranges of how many records, or files, they have.
type SizeCounts [10]Size

// The ranges. The last one has no end.
var (
	sizeLabels = [len(SizeCounts{})]string{"2", "3", "4", "5", "6–10", "11–20", "21–50", "51–100", "101–1000", "more"}
	sizeEnds   = []int64{2, 3, 4, 5, 10, 20, 50, 100, 1000}
)

// Add counts a group of one record that is kept and so many that are dropped.
func (c *SizeCounts) Add(dropped int64) {
	at, _ := slices.BinarySearch(sizeEnds, dropped+1)
	c[at].Groups++
	c[at].Dropped += dropped
}

// Rows returns the ranges up to the last one that has a group.
func (c SizeCounts) Rows() []Size {
	end := 0
	for i := range c {
		if c[i].Label = sizeLabels[i]; c[i].Groups > 0 {
			end = i + 1
		}
	}
	return c[:end]
}
