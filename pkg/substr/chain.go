package substr

import (
	"cmp"
	"slices"
)

// A chain finds the matches of one size in a window.
type chain struct {
	starts []start
	bs     []int32 // offsets in b, group after group, ascending in each
	groups []group
}

// A start is an offset in a, of a group of suffixes that agree.
type start struct{ a, group int32 }

// A group is a part of bs.
type group struct{ next, end int32 }

// take collects the offsets at which the window has matches of the size.
func (c *chain) take(s run, w window, b, size int32) {
	c.starts, c.bs, c.groups = c.starts[:0], c.bs[:0], c.groups[:0]
	aLast, bLast := w.aEnd-size, w.bEnd-size
	for i := 0; i < len(s.pos); {
		begin := i
		for i++; i < len(s.pos) && s.lcp[i] >= size; i++ {
		}
		if i-begin > 1 {
			c.group(s.pos[begin:i], b, aLast, bLast)
		}
	}
	slices.SortFunc(c.starts, func(x, y start) int { return cmp.Compare(x.a, y.a) })
}

// group adds suffixes that agree, if there are such in both texts.
func (c *chain) group(pos []int32, b, aLast, bLast int32) {
	as, bs := len(c.starts), len(c.bs)
	for _, p := range pos {
		switch {
		case p <= aLast:
			c.starts = append(c.starts, start{p, int32(len(c.groups))})
		case p >= b && p <= bLast:
			c.bs = append(c.bs, p)
		}
	}
	if as == len(c.starts) || bs == len(c.bs) {
		c.starts, c.bs = c.starts[:as], c.bs[:bs]
		return
	}
	slices.Sort(c.bs[bs:])
	c.groups = append(c.groups, group{int32(bs), int32(len(c.bs))})
}

// gaps chooses the matches one after the other, as the recursion would: the
// one of the smallest offset in a that has one in b, behind the last chosen,
// and for it the smallest such offset in b. It returns the windows before,
// between and after them; at least one match was taken.
//
// What is left of a match has none of this size, for the next offset in a is
// the smallest that has any.
func (c *chain) gaps(w window, size int32) []window {
	var gaps []window
	rest := w
	for _, s := range c.starts {
		if s.a < rest.a {
			continue
		}
		g := &c.groups[s.group]
		for g.next < g.end && c.bs[g.next] < rest.b {
			g.next++
		}
		if g.next == g.end {
			continue
		}
		b := c.bs[g.next]
		gaps = append(gaps, window{rest.a, s.a, rest.b, b})
		rest.a, rest.b = s.a+size, b+size
	}
	return append(gaps, rest)
}
