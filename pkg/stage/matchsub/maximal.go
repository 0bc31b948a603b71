package matchsub

import (
	"errors"
	"math"

	"doppel/pkg/substr"
	"doppel/pkg/tool"
)

// Two texts may have as many maximal matches as pairs of offsets, and the largest matches must be
// written first. At most maxHeld matches are held in memory and sorted. If there are more, a first
// pass counts them by size, and further passes find them again, each for a range of sizes with few
// enough matches. If there are too many matches of a single size, they are not held, because the
// search already finds them in the right order.
//
// Two texts of 20 kB that repeat one letter have 40,000 maximal matches; two random texts of 100 kB
// over two letters have 1.6 billion.

// maxHeld is the maximum number of matches of a pair in memory. A match takes 24 bytes.
const maxHeld = 1 << 18

// errMore ends a search after enough matches have been found.
var errMore = errors.New("more matches")

// maximal returns the lines of the maximal matches of a pair.
func (m *matcher[T]) maximal(s sides[T]) result {
	var found []substr.Match
	err := s.eachMaximal(m.o.Threshold, func(match substr.Match) error {
		if len(found) == maxHeld {
			return errMore
		}
		found = append(found, match)
		return nil
	})
	most := m.maxSymbols(s)
	if err != nil {
		return result{rest: &multiPass[T]{lines: *m.linesOf(s), least: m.o.Threshold, most: m.o.Matches, text: most, held: maxHeld}}
	}
	found = substr.Largest(found, m.o.Matches)
	n := 0
	for n < len(found) && int64(found[n].Size) <= most {
		most -= int64(found[n].Size)
		n++
	}
	r := m.lines(s, found[:n])
	for _, match := range found[n:] {
		r.left.add(match.Size, 1)
	}
	return r
}

// minSymbols is the smallest limit that the option Most sets for the matches of a pair, in symbols.
const minSymbols = 1 << 20

// maxSymbols returns the maximum number of symbols in the matches written for a pair. Without this
// limit, two texts that repeat one letter for 28 kB have 800 MB of matches.
func (m *matcher[T]) maxSymbols(s sides[T]) int64 {
	if m.o.Most == 0 || m.o.Matches != all {
		return math.MaxInt64
	}
	return max(minSymbols, int64(m.o.Most)*int64(max(len(s.a), len(s.b))))
}

// An excess counts the matches of a pair that are not written because of Options.Most, and the
// symbols in these matches.
type excess struct{ matches, text int64 }

// add counts further matches, all of the given size.
func (x *excess) add(size, matches int) {
	x.matches += int64(matches)
	x.text += int64(size) * int64(matches)
}

func (x excess) plus(y excess) excess { return excess{x.matches + y.matches, x.text + y.text} }

// A multiPass finds and writes the maximal matches of a pair that has more matches than can be held
// in memory.
type multiPass[T substr.Symbol] struct {
	lines[T]
	least int    // minimum size of a match
	most  int    // maximum number of further matches; negative for no maximum
	text  int64  // maximum number of symbols in further matches
	held  int    // maximum number of matches in memory
	left  excess // matches not written so far
}

// write writes the lines of the matches, the largest match first. It implements the interface rest.
func (c *multiPass[T]) write(e *tool.Env) (left excess, written int64, err error) {
	var out, text []byte
	err = c.each(func(match substr.Match) (err error) {
		if out, text = c.append(out, text, match); len(out) >= pieceBytes {
			_, err = e.Out.Write(out)
			written += int64(len(out))
			out = out[:0]
		}
		return err
	})
	if err != nil && err != errMore {
		return excess{}, written, err
	}
	if c.most == 0 { // the limit of --matches was reached; the matches beyond it are not reported
		c.left = excess{}
	}
	_, err = e.Out.Write(out)
	return c.left, written + int64(len(out)), err
}

// each calls emit with the matches, the largest first. It returns the first error from emit, or
// errMore if it stops at a limit.
func (c *multiPass[T]) each(emit func(substr.Match) error) error {
	counts := make([]int, min(len(c.sides.a), len(c.sides.b))+1)
	c.sides.eachMaximal(c.least, func(match substr.Match) error {
		counts[match.Size]++
		c.left.add(match.Size, 1)
		return nil
	})
	limited := func(match substr.Match) error {
		if c.most == 0 || int64(match.Size) > c.text {
			return errMore
		}
		c.most--
		c.text -= int64(match.Size)
		c.left.add(match.Size, -1)
		return emit(match)
	}
	for top := len(counts); top > c.least; {
		// The next pass finds the n matches with sizes from least to top-1. Their number exceeds
		// c.held only if they all have the same size.
		least, n := top, 0
		for least > c.least && (n == 0 || n+counts[least-1] <= c.held) {
			least--
			n += counts[least]
		}
		if n == 0 {
			break
		}
		var found []substr.Match
		take := limited // if there are too many matches of a single size, they are not held
		if n <= c.held {
			found = make([]substr.Match, 0, n)
			take = func(match substr.Match) error { found = append(found, match); return nil }
		}
		err := c.sides.eachMaximal(least, func(match substr.Match) error {
			if match.Size >= top {
				return nil
			}
			return take(match)
		})
		if err != nil {
			return err
		}
		for _, match := range substr.Largest(found, all) {
			if err := limited(match); err != nil {
				return err
			}
		}
		top = least
	}
	return nil
}
