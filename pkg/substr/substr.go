// Package substr finds the substrings that two texts share.
//
//   - [Blocks] gives the matching blocks of Ratcliff and Obershelp's method
//     (J. W. Ratcliff, D. E. Metzener, Pattern matching: the gestalt approach,
//     Dr. Dobb's Journal, July 1988): the longest common substring, then the
//     same again to the left and to the right of it. They are the blocks of
//     Python's difflib.SequenceMatcher with autojunk off.
//   - [Maximal] gives every match that cannot be extended, crossing ones too.
//   - [Difflib] gives the blocks of difflib with autojunk on, which loses
//     matches, for those who must have the same.
//
// A text is a slice of symbols: bytes, or code points. Offsets count symbols.
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

// Largest returns the matches sorted by size, the largest first and those of
// one size in the order given, and at most n of them if n is not negative. It
// reorders its argument.
func Largest(matches []Match, n int) []Match {
	slices.SortStableFunc(matches, func(m, o Match) int { return cmp.Compare(o.Size, m.Size) })
	if n >= 0 && n < len(matches) {
		return matches[:n]
	}
	return matches
}
