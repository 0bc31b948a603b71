package matchsub

import (
	"errors"
	"math"

	"doppel/pkg/substr"
	"doppel/pkg/tool"
)

// There may be as many maximal matches as pairs of offsets, and the largest are written
// first. They are held and sorted if there are few enough. Otherwise one pass counts them
// by size, and further passes find them again, each holding only a range of sizes; the
// matches of a single size need not be held, since they come in order.
//
// Two texts of 20 kB that repeat one letter have 40,000 matches; two texts of 100 kB with two
// letters at random have 1.6 billion.

// maxHeld limits the matches in memory, of 24 bytes each.
const maxHeld = 1 << 18

// errMore ends a search that found enough.
var errMore = errors.New("more matches")

// maximal writes the maximal matches.
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
		return result{rest: &crowd[T]{lines: *m.linesOf(s), least: m.o.Threshold, most: m.o.Matches, text: most, held: maxHeld}}
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

// minSymbols is the bound on the symbols written for the shortest texts.
const minSymbols = 1 << 20

// maxSymbols returns the bound on the symbols of matches written for a pair. Two texts of
// 28 kB of one letter have 800 MB of matches.
func (m *matcher[T]) maxSymbols(s sides[T]) int64 {
	if m.o.Most == 0 || m.o.Matches != all {
		return math.MaxInt64
	}
	return max(minSymbols, int64(m.o.Most)*int64(max(len(s.a), len(s.b))))
}

// An excess counts the matches of a pair beyond the bound Most.
type excess struct{ matches, text int64 }

// add adds matches of one size.
func (x *excess) add(size, matches int) {
	x.matches += int64(matches)
	x.text += int64(size) * int64(matches)
}

func (x excess) plus(y excess) excess { return excess{x.matches + y.matches, x.text + y.text} }

// A crowd is more maximal matches than can be held.
type crowd[T substr.Symbol] struct {
	lines[T]
	least int    // the size of the smallest match
	most  int    // matches to write; all for all
	text  int64  // symbols of them to write
	held  int    // matches to hold
	left  excess // matches not written, after each has ended
}

// write writes the matches, the largest first.
func (c *crowd[T]) write(e *tool.Env) (left excess, written int64, err error) {
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
	if c.most == 0 { // --matches leaves out the rest
		c.left = excess{}
	}
	_, err = e.Out.Write(out)
	return c.left, written + int64(len(out)), err
}

// each calls emit with the matches, the largest first, until enough are written.
func (c *crowd[T]) each(emit func(substr.Match) error) error {
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
		least, n := top, 0 // a range of sizes with few enough matches to hold, or one size
		for least > c.least && (n == 0 || n+counts[least-1] <= c.held) {
			least--
			n += counts[least]
		}
		if n == 0 {
			break
		}
		var found []substr.Match
		take := limited // of one size
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
