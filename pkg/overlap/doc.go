// Package overlap finds which items of a benchmark occur in training records. It looks up
// windows of words, verifies each hit by its words, and ignores windows that occur in too many
// records or items.
//
// The test side is held in memory: the normalised words of all items in one array, and a table
// of their distinct windows. The training side is one stream. Whether a window is common is
// known only at the end of the stream, so [Tally] counts the records that have each window
// exactly, and logs the windows of each record on disk. A window is logged at most DF times, so
// the test side bounds the log.
//
// Windows are hashed from the word hashes of [text.Shingler]; a polynomial over them gives the
// hash of any number of words in two multiplications. Most windows miss, and most misses end in
// a filter of 16 bits per window, which fits into a cache for the usual benchmarks. An item
// with fewer words than the window must match completely. The text is searched for the item's
// first 1, 2, 4, … words, whichever is the largest number that the item has, so that items of
// all lengths cost a few searches, not one search per length.
//
// Cost, on one core of a shared virtual machine (Intel Xeon), for texts of 4 kB:
//
//	10,000 items of 40 words               590 MB/s
//	10,000 items of 3 to 62 words          340 MB/s
//	go test -bench Scan ./pkg/overlap
//
// The test side takes the memory of its words, and for each distinct window 4 bytes for its
// hash, 4 for its position, 4 for its count, 5 to 10 for the table and 2 to 4 for the filter.
package overlap

import (
	"doppel/pkg/text"
)

// Options defines windows, and which of them count.
type Options struct {
	Window    int // words
	Normalize text.Normalization
	DF        int     // windows in more training records are common; 0: no limit
	TestDF    int     // windows in more test items are common; 0: no limit
	Coverage  float64 // least share of an item's windows that makes it contaminated
}

// Default was chosen by scripts/bench/overlap: see its table in RESULTS.md.
var Default = Options{Window: 8, Normalize: text.Aggressive, DF: 20, TestDF: 20, Coverage: 0.35}
