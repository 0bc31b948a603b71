// Package blockhash hashes the size and a few blocks of a file instead of all bytes: by default the
// head, the middle and the tail. Equal files always have equal block hashes, and, with few
// exceptions, different files have different ones. So files that cannot be duplicates are
// recognized by reading a small part of them.
//
// The hash covers the blocks, in order, and then the salts. The first salt is always the size, as
// eight bytes in little-endian order. With the default rule, a file of at most two blocks is hashed
// completely.
//
// The method was published as "Fuzzy File Deduplication via Partial Content Hashing". The published
// rule differs from the default rule in one case: if a file is longer than one block but not longer
// than two, only its last block is hashed. If equal files are counted once, 45 files in /usr/lib
// have the same hash as a different file under the published rule with blocks of 4096 bytes, and
// none under the default rule. The published rule is available as the form [Published].
//
// The package does no I/O: a [Rule] says which bytes to read, and a [Hash] hashes them.
package blockhash

import "fmt"

// A Selection is a method of choosing blocks.
type Selection int

const (
	Blocks    Selection = iota // hash all of a small file, and blocks spread over a large one
	Published                  // the published rule, for comparison with hashes made by other programs
	Full                       // every byte
	Moved                      // the published rule, except that in a file of one to two blocks, the block at Offset is hashed
)

// A Rule says which bytes of a file are hashed.
type Rule struct {
	Selection
	Block int64 // bytes in a block, at least 1
	Count int   // number of blocks of a large file, at least 1; 3 for Published and Moved
	// Offset is the start of the block if only one block is read. If the block would not fit into
	// the file, the last block of the file is read instead. The form Published ignores Offset.
	Offset int64
}

// Default is the default rule. On the file trees that were measured, larger blocks distinguish only
// a few more files but take longer to read.
var Default = Rule{Selection: Blocks, Block: 4096, Count: 3}

// A Span is the range of bytes of a file from Off up to Off+Len.
type Span struct{ Off, Len int64 }

// Spans appends to dst, in order, the spans to hash in a file of the given size. All spans are
// inside the file, but they may overlap.
func (r Rule) Spans(dst []Span, size int64) []Span {
	switch {
	case r.Selection == Full || size <= r.Block:
		return append(dst, Span{0, size})
	case r.Selection == Published && size <= 2*r.Block:
		return append(dst, Span{size - r.Block, r.Block})
	case r.Selection == Moved && size <= 2*r.Block:
		return append(dst, Span{min(r.Offset, size-r.Block), r.Block})
	case r.Selection == Blocks && size <= r.Block*int64(r.Count-1):
		return append(dst, Span{0, size})
	}
	// In a large file, block i starts at i/(Count-1) of the size of the file, except for the last
	// block, which ends at the end of the file.
	parts := int64(r.Count - 1)
	for i := range parts {
		// off is the floor of size*i/parts, computed without the product size*i, which might
		// overflow.
		off := size/parts*i + size%parts*i/parts
		dst = append(dst, Span{off, r.Block})
	}
	if parts == 0 {
		return append(dst, Span{min(r.Offset, size-r.Block), r.Block})
	}
	return append(dst, Span{size - r.Block, r.Block})
}

// Most returns the maximum number of bytes that the rule reads from one file, or -1 if it
// reads whole files.
func (r Rule) Most() int64 {
	if r.Selection == Full {
		return -1
	}
	return r.Block * int64(r.Count)
}

// String returns the name of the rule, such as 3x4096 for three blocks of 4096 bytes.
func (r Rule) String() string {
	switch r.Selection {
	case Full:
		return "full"
	case Published:
		return fmt.Sprintf("seed-%dx%d", r.Count, r.Block)
	case Moved:
		return fmt.Sprintf("seed-%dx%d@%d", r.Count, r.Block, r.Offset)
	}
	if r.Offset > 0 {
		return fmt.Sprintf("%dx%d@%d", r.Count, r.Block, r.Offset)
	}
	return fmt.Sprintf("%dx%d", r.Count, r.Block)
}
