// Package overlap finds which items of a benchmark occur in training records. A window is a fixed
// number of consecutive words. The package looks up each window of a record in a table of the
// items' windows, and compares the words of each hit. It ignores common windows, which occur in too
// many records or items.
//
// The items are in memory: the normalised words of all items in one array, and a table of their
// distinct windows. The training records come as one stream. A window can become common as late as
// the last record. So [Tally] counts the records that contain each window, and logs the windows of
// each record to disk. With a limit DF, it logs a window for at most DF records, so the size of the
// log depends on the items, not on the length of the stream.
//
// The hash of a window is a polynomial over the word hashes of [text.Shingler]. Computing a hash
// takes a few multiplications, whatever the number of words. Most windows of the records are not in
// the table. A filter of 16 to 32 bits per window rejects most of these; for the usual benchmarks
// it fits into the CPU cache.
//
// An item with fewer words than the window must match completely. The search looks for the first n
// words of such an item, where n is the largest power of 2 that does not exceed the number of words
// in the item. So items of all lengths need only a few searches, not one search per length.
//
// The speed of scanning texts of 4 kB, on one core of a shared virtual machine (Intel Xeon), is:
//
//	10,000 items of 40 words               590 MB/s
//	10,000 items of 3 to 62 words          340 MB/s
//	go test -bench Scan ./pkg/overlap
//
// In memory are the words of the items and, for each distinct window, 19 to 26 bytes: 4 for the
// hash, 4 for the position, 4 for the count, 5 to 10 for the table and 2 to 4 for the filter.
package overlap

import (
	"doppel/pkg/text"
)

// Options says how long windows are, which windows are common, and which items are contaminated.
type Options struct {
	Window    int // number of words in a window
	Normalize text.Normalization
	DF        int     // a window in more than DF training records is common; 0 means no limit
	TestDF    int     // a window in more than TestDF test items is common; 0 means no limit
	Coverage  float64 // an item is contaminated if a single record has at least this share of the item's windows
}

// Default holds the options that did best in the benchmark scripts/bench/overlap; see its table in
// RESULTS.md.
var Default = Options{Window: 8, Normalize: text.Aggressive, DF: 20, TestDF: 20, Coverage: 0.35}
