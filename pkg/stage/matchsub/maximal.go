package matchsub

import (
	"errors"

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
		return result{rest: &crowd[T]{lines[T]{m.codec, m.format, s, m.lineEnds(s), nil}, m.o.Threshold, m.o.Matches, held}}
	}
	return m.lines(s, found)
}

// A crowd is maximal matches that are too many to be held.
type crowd[T substr.Symbol] struct {
	lines[T]
	least int // the size of the smallest match
	most  int // how many are written; all for all
	held  int // how many are held
}

// write writes the matches, the largest first.
func (c *crowd[T]) write(e *tool.Env) error {
	var out, text []byte
	err := c.each(func(match substr.Match) (err error) {
		if out, text = c.append(out, text, match); len(out) >= piece {
			_, err = e.Out.Write(out)
			out = out[:0]
		}
		return err
	})
	if err != nil && err != errMore {
		return err
	}
	_, err = e.Out.Write(out)
	return err
}

// each calls emit with the matches, the largest first.
func (c *crowd[T]) each(emit func(substr.Match) error) error {
	counts := make([]int, min(len(c.sides.a), len(c.sides.b))+1)
	c.find(c.least, func(match substr.Match) error { counts[match.Size]++; return nil })
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
		if c.most == 0 {
			return errMore
		}
		c.most--
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
