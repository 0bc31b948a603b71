package substr

import (
	"cmp"
	"slices"
)

// MaxLen is the maximum total length, in symbols, of two texts to compare.
const MaxLen = 1<<31 - 2

// Blocks returns the matching blocks of two texts, ordered by position. least is the minimum number
// of symbols in a block. Blocks finds the longest common substring (if there are several, the one
// with the smallest offset in the first text and then in the second), and then recursively the
// blocks to the left and to the right of this substring in both texts. Blocks do not cross or
// overlap.
//
// The suffixes of both texts are sorted once, and the length of the common prefix of every two
// adjacent suffixes is computed. The recursion works on windows, which are ranges of both texts.
// Each call gets the sorted list of the suffixes that begin in its window, and one scan over this
// list finds the size of the longest match in the window (see longest). The matches of this size
// that plain recursion would choose one after another are all chosen at once. So the depth of the
// recursion is bounded by the number of different sizes, and texts with a repeated pattern cost no
// more than other texts. The suffixes are then distributed among the gaps between the matches and
// stay sorted; suffixes that begin within matches are dropped.
//
// Most of the time is spent on sorting, about 100 ns per symbol; a level of the recursion takes 5
// to 10 ns for each remaining symbol. Blocks uses 17 to 20 bytes of memory per symbol. The
// worst-case time for n symbols is proportional to n·√n; it occurs if there are blocks of many
// sizes, each longer than all later blocks. The alternative, a suffix automaton for each window,
// would take 40 bytes per symbol, and a cache miss per symbol at every level.
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

// A run is a list of sorted suffixes; pos holds their offsets. lcp[i] is the length of the common
// prefix of suffixes pos[i-1] and pos[i]; lcp[0] is not used.
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

// findBlocks appends the blocks of a window to r.found, given the suffixes that begin in the
// window.
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

// findInGaps appends to r.found the blocks within each gap and, between consecutive gaps, the block
// of the given size that separates them. s holds the suffixes that begin in the gaps.
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

// splitSuffixes divides s into the suffixes that begin before the end of the left window and those
// that begin at or after the start of the right window. It drops all other suffixes, and reuses the
// memory of s.
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

// An interval describes adjacent suffixes with a common prefix of lcp symbols. a and b are the
// smallest offsets of these suffixes in the first and in the second text, or infinite if none of
// them starts in that text.
type interval struct{ lcp, a, b int32 }

// longest returns the size of the longest match in the window, or a number below r.least if there
// is no match of at least r.least symbols.
//
// Suffixes with a common prefix of l symbols are adjacent in the sorted list and form an interval.
// The suffixes of an interval share their first l symbols. A match must end within the window, so
// the longest match of the interval starts at the smallest offset in each text. The intervals are
// visited from the inside out with a stack of open intervals. An interval whose common prefix is
// not longer than the best match so far is not opened.
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
	bs     []int32 // offsets in the second text, ordered by group and then by offset
	groups []group
}

// A start holds the offset of a suffix of the first text and the number of its group.
type start struct{ a, group int32 }

// A group is a set of suffixes with a common prefix. chain.bs[next:end] holds the offsets of those
// that belong to the second text.
type group struct{ next, end int32 }

// collect stores the offsets of the matches of the given size in the window. For this, it groups
// the suffixes that share a prefix of this size, and keeps the groups with suffixes of both texts.
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

// gaps chooses matches in the order in which the recursion would choose them. Each time, it
// considers the matches that follow the last chosen match in both texts, and chooses the one with
// the smallest offset in the first text and then in the second. It returns the windows before,
// between and after the chosen matches. There is always at least one match.
//
// No window before a chosen match contains another match of this size, because gaps always chooses
// the smallest offset in the first text.
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
