package matchsub

import (
	"fmt"

	"doppel/pkg/substr"
)

// Text of a base, given by --base, does not count as a match. If the first text of a pair and a
// base have a match that reaches the threshold, the symbols of this match are cut out of the
// matches of the pair. A remaining piece counts if it reaches the threshold. For example, a passage
// of a base that is followed by two brackets in both texts is not a match, and a match with a
// passage of a base in its middle becomes two.

// cover returns a slice that says which symbols of a text are in a base, or nil if there is no
// base.
func (m *matcher[T]) cover(text []T) (known []bool, err error) {
	for _, b := range m.base {
		other, _, err := m.symbols(b.text, b.name)
		if err != nil {
			return nil, err
		}
		if len(text)+len(other) > substr.MaxLen {
			return nil, fmt.Errorf("%s: this text and another text have more than %d characters in total", b.name, substr.MaxLen)
		}
		if known == nil {
			known = make([]bool, len(text))
		}
		in := make(spans, len(text)+1)
		substr.Maximal(text, other, m.o.Threshold, func(match substr.Match) error {
			in.add(match.A, match.Size)
			return nil
		})
		depth := int32(0)
		for i := range known {
			if depth += in[i]; depth > 0 {
				known[i] = true
			}
		}
	}
	return known, nil
}

// cutBase cuts the bases out of matches and returns the pieces that reach the minimum size, each
// shortened to whole letters.
func (s *sides[T]) cutBase(found []substr.Match, least int) []substr.Match {
	if s.known == nil && s.fromA == nil && s.fromB == nil {
		return found
	}
	var left []substr.Match
	for _, m := range found {
		s.eachPiece(m, least, func(p substr.Match) error { left = append(left, p); return nil })
	}
	return left
}

// eachPiece cuts the bases out of a match and calls emit with each piece that, shortened to whole
// letters, reaches the minimum size. It returns the first error from emit.
func (s *sides[T]) eachPiece(m substr.Match, least int, emit func(substr.Match) error) error {
	if s.known == nil {
		if m = s.wholeLetters(m); m.Size < least {
			return nil
		}
		return emit(m)
	}
	for i := 0; i < m.Size; {
		n := 0
		for i+n < m.Size && !s.known[m.A+i+n] {
			n++
		}
		if piece := s.wholeLetters(substr.Match{A: m.A + i, B: m.B + i, Size: n}); piece.Size >= least {
			if err := emit(piece); err != nil {
				return err
			}
		}
		i += n + 1
	}
	return nil
}

// eachMaximal calls emit with each piece of every maximal match, as eachPiece does. It returns the
// first error from emit.
func (s *sides[T]) eachMaximal(least int, emit func(substr.Match) error) error {
	if s.known == nil && s.fromA == nil && s.fromB == nil {
		return substr.Maximal(s.a, s.b, least, emit)
	}
	return substr.Maximal(s.a, s.b, least, func(m substr.Match) error { return s.eachPiece(m, least, emit) })
}

// spans is a set of ranges of a text, which may overlap. It holds, for each position including the
// end of the text, the number of ranges that begin there minus the number that end there.
type spans []int32

func (s spans) add(start, size int) {
	s[start]++
	s[start+size]--
}

// count returns the number of positions that are in at least one range.
func (s spans) count() (n int64) {
	depth := int32(0)
	for _, d := range s {
		if depth += d; depth > 0 {
			n++
		}
	}
	return n
}
