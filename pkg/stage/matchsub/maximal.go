package matchsub

import (
	"errors"
	"math"

	"doppel/pkg/substr"
	"doppel/pkg/tool"
)

// Maximal matches may be as many as pairs of offsets, and they are written the
// largest first. They are held and sorted where there are few enough. Else they
// are counted by size in one pass over them, and then found again in as many
// passes as it takes, each of which holds no more than that of a range of sizes;
// the matches of one size need not be held at all, for they come in order.
//
// Two texts of 20 kB each of one letter have 40,000 matches; texts of 100 kB of
// two letters at random have 1.6 billion of 1 letter or more.

// held is how many matches are held, of 24 bytes each.
const held = 1 << 18

// errMore ends a search that found more than was wanted.
var errMore = errors.New("more matches")

// maximal writes the maximal matches.
func (m *matcher[T]) maximal(s sides[T]) result {
	var found []substr.Match
	err := s.maximal(m.o.Threshold, func(match substr.Match) error {
		if len(found) == held {
			return errMore
		}
		found = append(found, match)
		return nil
	})
	if err != nil {
		l := lines[T]{m.codec, m.format, s, m.lineEnds(s), nil}
		return result{rest: &crowd[T]{lines: l, least: m.o.Threshold, most: m.o.Matches, text: m.most(s), held: held}}
	}
	found = substr.Largest(found, m.o.Matches)
	n, left := within(found, m.most(s))
	r := m.lines(s, found[:n])
	r.left = left
	return r
}

// leastMost is how many symbols of matches are written of the shortest texts.
const leastMost = 1 << 20

// most returns how many symbols of matches are written of a pair. Two texts of 28 kB of
// one letter have 800 MB of matches.
func (m *matcher[T]) most(s sides[T]) int64 {
	if m.o.Most == 0 || m.o.Matches != all {
		return math.MaxInt64
	}
	return max(leastMost, int64(m.o.Most)*int64(max(len(s.a), len(s.b))))
}

// An excess is the matches of a pair that Most leaves out.
type excess struct{ matches, text int64 }

// within returns how many of some matches, the largest first, have no more symbols than
// most.
func within(found []substr.Match, most int64) (n int, left excess) {
	for n < len(found) && int64(found[n].Size) <= most {
		most -= int64(found[n].Size)
		n++
	}
	for _, match := range found[n:] {
		left.add(match.Size, 1)
	}
	return n, left
}

// add adds matches of one size.
func (x *excess) add(size, matches int) {
	x.matches += int64(matches)
	x.text += int64(size) * int64(matches)
}

// A crowd is maximal matches that are too many to be held.
type crowd[T substr.Symbol] struct {
	lines[T]
	least int    // the size of the smallest match
	most  int    // how many are written; all for all
	text  int64  // how many symbols of them are written
	held  int    // how many are held
	left  excess // what text leaves out, once each has ended
}

// write writes the matches, the largest first.
func (c *crowd[T]) write(e *tool.Env) (left excess, written int64, err error) {
	var out, text []byte
	err = c.each(func(match substr.Match) (err error) {
		if out, text = c.append(out, text, match); len(out) >= piece {
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

// each calls emit with the matches, the largest first.
func (c *crowd[T]) each(emit func(substr.Match) error) error {
	counts := make([]int, min(len(c.sides.a), len(c.sides.b))+1)
	c.find(c.least, func(match substr.Match) error {
		counts[match.Size]++
		c.left.add(match.Size, 1)
		return nil
	})
	for top := len(counts); top > c.least; {
		least, n := c.rangeBelow(top, counts)
		if err := c.pass(least, top, n, c.limited(emit)); err != nil {
			return err
		}
		top = least
	}
	return nil
}

func (c *crowd[T]) find(least int, emit func(substr.Match) error) error {
	return c.sides.maximal(least, emit)
}

// rangeBelow returns the least size of the next range of sizes, and how many
// matches it has: no more than are held, or those of one size.
func (c *crowd[T]) rangeBelow(top int, counts []int) (least, n int) {
	least = top
	for least > c.least && (n == 0 || n+counts[least-1] <= c.held) {
		least--
		n += counts[least]
	}
	return least, n
}

// limited returns emit, which ends the run when enough are written.
func (c *crowd[T]) limited(emit func(substr.Match) error) func(substr.Match) error {
	return func(match substr.Match) error {
		if c.most == 0 || int64(match.Size) > c.text {
			return errMore
		}
		c.most--
		c.text -= int64(match.Size)
		c.left.add(match.Size, -1)
		return emit(match)
	}
}

// pass emits the n matches of sizes from least up to, but not, top.
func (c *crowd[T]) pass(least, top, n int, emit func(substr.Match) error) error {
	if n == 0 {
		return nil
	}
	if n > c.held { // of one size
		return c.find(least, below(top, emit))
	}
	found := make([]substr.Match, 0, n)
	c.find(least, below(top, func(match substr.Match) error { found = append(found, match); return nil }))
	for _, match := range substr.Largest(found, all) {
		if err := emit(match); err != nil {
			return err
		}
	}
	return nil
}

// below returns emit for matches that are smaller than top.
func below(top int, emit func(substr.Match) error) func(substr.Match) error {
	return func(match substr.Match) error {
		if match.Size >= top {
			return nil
		}
		return emit(match)
	}
}
