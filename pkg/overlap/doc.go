// Package overlap finds which items of a benchmark are in training records: it
// looks up windows of words, verifies each by its words, and leaves windows that
// too many records or items have out of the count.
//
// The test side is held in memory: the normalised words of all items in one
// piece, and a table of their distinct windows. The training side is one stream.
// Whether a window is common is known only at its end, so [Tally] counts exactly
// in how many records each window is, and logs the windows of each record on
// disk. A window is logged at most DF times, so the log is bounded by the test
// side, not by the training side.
//
// Windows are hashed from the word hashes of [text.Shingler]; a polynomial over
// them gives the hash of any number of words in two multiplications. Most windows
// miss, and do so in a filter of 16 bits a window that fits into a cache for the
// usual benchmarks. An item of fewer words than the window is found as a whole:
// the text is searched for its first 1, 2, 4, … words, whichever is the most that
// the item has, so that items of all lengths cost a few searches, not one each.
//
// Cost, on one core of a shared virtual machine (Intel Xeon), for texts of 4 kB:
//
//	10,000 items of 40 words               590 MB/s
//	10,000 items of 3 to 62 words          340 MB/s
//	go test -bench Scan ./pkg/overlap
//
// A test side takes, for each distinct window, 4 bytes of its hash, 4 for its place, 4
// for its count, 5 to 10 for the table and 2 to 4 for the filter, and its words.
package overlap

import (
	"doppel/pkg/text"
)

// Options say what is compared, and what counts.
type Options struct {
	Window    int // words
	Normalize text.Normalization
	DF        int     // windows in more training records are common; 0: none
	TestDF    int     // windows in more test items are common; 0: none
	Coverage  float64 // share of the windows from which on an item is contaminated
}

// Default is chosen by scripts/bench/overlap: see its table in RESULTS.md.
var Default = Options{Window: 8, Normalize: text.Aggressive, DF: 20, TestDF: 20, Coverage: 0.35}
