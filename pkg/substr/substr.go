// Package substr finds the substrings that two texts share.
//
//   - [Blocks] returns the matching blocks of Ratcliff and Obershelp's method
//     (J. W. Ratcliff, D. E. Metzener, Pattern matching: the gestalt approach,
//     Dr. Dobb's Journal, July 1988): the longest common substring, then
//     recursively the blocks to the left and to the right of it. The result
//     equals that of Python's difflib.SequenceMatcher with autojunk off.
//   - [Maximal] finds every match that cannot be extended; matches may cross.
//   - [Difflib] returns the blocks of difflib with autojunk on, which loses
//     matches, for callers that need identical results.
//
// A text is a slice of symbols: bytes, or code points. All offsets are in symbols.
package substr

import (
	"cmp"
	"slices"
)

// A Symbol is an element of a text.
type Symbol interface{ ~byte | ~rune }

// A Match is a substring of Size symbols at offset A of the first text and at
// offset B of the second.
type Match struct{ A, B, Size int }

// Largest sorts matches by size, largest first, and returns the first n of them, or all if n is
// negative. The sort is stable.
func Largest(matches []Match, n int) []Match {
	slices.SortStableFunc(matches, func(m, o Match) int { return cmp.Compare(o.Size, m.Size) })
	if n >= 0 && n < len(matches) {
		return matches[:n]
	}
	return matches
}
