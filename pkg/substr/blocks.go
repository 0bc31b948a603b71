package substr

import (
	"cmp"
	"slices"
)

// MaxLen is the maximum sum of the lengths of two texts to compare.
const MaxLen = 1<<31 - 2

// Blocks returns the matching blocks of at least least symbols, ordered by position: the longest
// common substring (of several, the one with the smallest offset in a and then in b), and
// recursively the blocks to the left and to the right of it in both texts. They do not cross or
// overlap.
//
// How. The suffixes of both texts are sorted once, each with the length of its common prefix
// with the one before. A pair of windows keeps the suffixes that begin in it, in that order.
// One scan over them finds the longest match in the windows (see longest). All matches of that
// length that the method would choose in turn are taken at once, so the depth of the recursion
// is bounded by the number of different lengths, and texts of a repeated pattern cost no more
// than others. Then the suffixes are distributed to the gaps, in order; suffixes within blocks
// are dropped.
//
// Cost: mostly sorting, about 100 ns per symbol; a level of the recursion costs 5 to 10 ns for
// each remaining symbol. 17 to 20 bytes per symbol. The worst case is n·√n, for a text of
// blocks of all lengths, each longer than all after it. Tried before: a suffix automaton for
// each pair of windows, which costs 40 bytes per symbol and a cache miss per symbol at every
// level.
func Blocks[T Symbol](a, b []T, least int) []Match {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	if least <= len(a) && slices.Equal(a, b) {
		return []Match{{Size: len(a)}}
	}
	j := joinTexts(a, b)
	r := &recursion{least: max(1, int32(least)), b: j.b}
	all := run{j.pos, j.lcp}
	whole := window{aEnd: j.b - 1, b: j.b, bEnd: int32(j.n)}
	r.spare = run{make([]int32, j.n), make([]int32, j.n)}
	r.findBlocks(all, whole)
	return r.found
}

// A run is a list of sorted suffixes. lcp[i] is the length of the common prefix of pos[i] and
// pos[i-1]; lcp[0] is not used.
type run struct{ pos, lcp []int32 }

func (r run) slice(i, j int) run { return run{r.pos[i:j], r.lcp[i:j]} }

// A window is a range of each text, in offsets of the joined texts.
type window struct{ a, aEnd, b, bEnd int32 }

type recursion struct {
	b     int32 // offset of the second text
	least int32
	spare run
	stack []interval
	chain chain
	found []Match
}

// findBlocks appends the blocks of a window, given the suffixes that begin in it.
func (r *recursion) findBlocks(s run, w window) {
	if len(s.pos) < 2 {
		return
	}
	size := r.longest(s, w)
	if size < r.least {
		return
	}
	r.chain.collect(s, w, r.b, size)
	r.findInGaps(s, r.chain.gaps(w, size), size)
}

// findInGaps recurses into gaps with the suffixes of s that begin in them; between each two
// gaps is a block of the given size.
func (r *recursion) findInGaps(s run, gaps []window, size int32) {
	if len(gaps) == 1 {
		r.findBlocks(s, gaps[0])
		return
	}
	mid := len(gaps) / 2
	left, right := r.splitSuffixes(s, gaps[mid-1], gaps[mid])
	r.findInGaps(left, gaps[:mid], size)
	r.found = append(r.found, Match{int(gaps[mid-1].aEnd), int(gaps[mid-1].bEnd - r.b), int(size)})
	r.findInGaps(right, gaps[mid:], size)
}

// splitSuffixes moves the suffixes that begin before the end of the left window to the front of
// s, and the suffixes from the beginning of the right one after them.
func (r *recursion) splitSuffixes(s run, left, right window) (l, rest run) {
	nl, nr := 0, 0
	lcpL, lcpR := int32(infinite), int32(infinite)
	for i, p := range s.pos {
		lcpL, lcpR = min(lcpL, s.lcp[i]), min(lcpR, s.lcp[i])
		end, begin := left.aEnd, right.a
		if p >= r.b {
			end, begin = left.bEnd, right.b
		}
		if p < end {
			s.pos[nl], s.lcp[nl] = p, lcpL
			lcpL = infinite
			nl++
		} else if p >= begin {
			r.spare.pos[nr], r.spare.lcp[nr] = p, lcpR
			lcpR = infinite
			nr++
		}
	}
	copy(s.pos[nl:], r.spare.pos[:nr])
	copy(s.lcp[nl:], r.spare.lcp[:nr])
	return s.slice(0, nl), s.slice(nl, nl+nr)
}

// An interval is a range of neighbouring suffixes with a common prefix of lcp symbols, and
// their smallest offset in each text; infinite if none starts in that text.
type interval struct{ lcp, a, b int32 }

// longest returns the size of the longest match in the window, or a smaller number than r.least
// if no match has that size.
//
// Suffixes with a common prefix of l symbols are neighbours. The suffixes of an interval match
// in l symbols, but a match may not reach beyond the window, so the best match of the interval
// is at its smallest offsets in both texts. The intervals are visited from the inside out with
// a stack of the open ones; intervals not longer than the best match so far are not opened at
// all.
func (r *recursion) longest(s run, w window) int32 {
	best := r.least - 1
	stack := r.stack[:0]
	var last interval
	for i := 0; i <= len(s.pos); i++ {
		l := int32(0)
		if i > 0 && i < len(s.pos) {
			l = s.lcp[i]
		}
		if l <= best {
			l = 0
		}
		for n := len(stack) - 1; n >= 0 && stack[n].lcp > l; n-- {
			top := stack[n]
			last = interval{top.lcp, min(top.a, last.a), min(top.b, last.b)}
			best = max(best, min(last.lcp, w.aEnd-last.a, w.bEnd-last.b))
			stack = stack[:n]
		}
		if l > 0 {
			if n := len(stack) - 1; n >= 0 && stack[n].lcp == l {
				stack[n].a, stack[n].b = min(stack[n].a, last.a), min(stack[n].b, last.b)
			} else {
				stack = append(stack, interval{l, last.a, last.b})
			}
		}
		if i == len(s.pos) {
			break
		}
		if p := s.pos[i]; p < r.b {
			last = interval{0, p, infinite}
		} else {
			last = interval{0, infinite, p}
		}
	}
	r.stack = stack
	return best
}

// A chain finds the matches of one size in a window.
type chain struct {
	starts []start
	bs     []int32 // offsets in b by group, ascending in each group
	groups []group
}

// A start is an offset in a, and its group of suffixes with a common prefix.
type start struct{ a, group int32 }

// A group is a range of bs.
type group struct{ next, end int32 }

// collect collects the offsets of the window's matches of the given size, from each group of
// suffixes that share a prefix of this size and occur in both texts.
func (c *chain) collect(s run, w window, b, size int32) {
	c.starts, c.bs, c.groups = c.starts[:0], c.bs[:0], c.groups[:0]
	aLast, bLast := w.aEnd-size, w.bEnd-size
	for i := 0; i < len(s.pos); {
		begin := i
		for i++; i < len(s.pos) && s.lcp[i] >= size; i++ {
		}
		as, bs := len(c.starts), len(c.bs)
		for _, p := range s.pos[begin:i] {
			switch {
			case p <= aLast:
				c.starts = append(c.starts, start{p, int32(len(c.groups))})
			case p >= b && p <= bLast:
				c.bs = append(c.bs, p)
			}
		}
		if as == len(c.starts) || bs == len(c.bs) {
			c.starts, c.bs = c.starts[:as], c.bs[:bs]
			continue
		}
		slices.Sort(c.bs[bs:])
		c.groups = append(c.groups, group{int32(bs), int32(len(c.bs))})
	}
	slices.SortFunc(c.starts, func(x, y start) int { return cmp.Compare(x.a, y.a) })
}

// gaps chooses the matches in the order of the recursion: the smallest offset in a that has a
// match in b after the last chosen one, and for it the smallest such offset in b. It returns
// the windows before, between and after them; there is at least one match.
//
// No other match of this size is left of a chosen one, because each chosen offset in a is the
// smallest with a match.
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
