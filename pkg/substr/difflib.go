package substr

import "slices"

// Difflib returns the matching blocks of Python's difflib.SequenceMatcher with its default setting,
// autojunk. Under autojunk, if the second text has n symbols, n >= 200, a symbol that occurs more
// than n/100+1 times in this text begins no match, and can only extend a match of rarer symbols. In
// running text, this applies to nearly every letter, so many matches are lost.
//
// Difflib recursively searches windows, which are ranges of both texts. For each symbol of the
// first text in a window, the search visits the occurrences of the symbol in the second text, so
// the worst-case time is cubic. Difflib uses at least 24 bytes of memory per symbol of the second
// text.
func Difflib[T Symbol](a, b []T) (merged []Match) {
	d := &difflib[T]{a: a, b: b, places: map[T][]int{}, last: make([]int, len(b)+1), next: make([]int, len(b)+1)}
	for j, c := range b {
		d.places[c] = append(d.places[c], j)
	}
	for c, places := range d.places {
		if len(b) >= 200 && len(places) > len(b)/100+1 {
			delete(d.places, c)
		}
	}
	var found []Match
	for queue := []window64{{0, len(a), 0, len(b)}}; len(queue) > 0; {
		w := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if m := d.longest(w); m.Size > 0 {
			found = append(found, m)
			queue = append(queue, window64{w.a, m.A, w.b, m.B}, window64{m.A + m.Size, w.aEnd, m.B + m.Size, w.bEnd})
		}
	}
	slices.SortFunc(found, func(m, o Match) int { return m.A - o.A })
	for _, m := range found {
		if n := len(merged); n > 0 && merged[n-1].A+merged[n-1].Size == m.A && merged[n-1].B+merged[n-1].Size == m.B {
			merged[n-1].Size += m.Size
			continue
		}
		merged = append(merged, m)
	}
	return merged
}

type difflib[T Symbol] struct {
	a, b   []T
	places map[T][]int // offsets in b of each symbol that may begin a match
	// When difflib.longest visits offset i of a, last[j+1] is the length of the match that ends at
	// a[i-1] and b[j], and next[j+1] is the length of the match that ends at a[i] and b[j].
	last, next []int
}

type window64 struct{ a, aEnd, b, bEnd int }

// longest finds the longest match that consists only of symbols that may begin a match; if there
// are several, it chooses the first. It then extends this match on both sides, even by symbols that
// may not begin a match.
func (d *difflib[T]) longest(w window64) Match {
	best := Match{A: w.a, B: w.b}
	for i := w.a; i < w.aEnd; i++ {
		for _, j := range d.places[d.a[i]] {
			if j < w.b {
				continue
			}
			if j >= w.bEnd {
				break
			}
			size := d.last[j] + 1
			d.next[j+1] = size
			if size > best.Size {
				best = Match{i - size + 1, j - size + 1, size}
			}
		}
		if i > w.a {
			d.clearSizes(d.last, d.a[i-1])
		}
		d.last, d.next = d.next, d.last
	}
	if w.a < w.aEnd {
		d.clearSizes(d.last, d.a[w.aEnd-1])
	}
	for best.A > w.a && best.B > w.b && d.a[best.A-1] == d.b[best.B-1] {
		best = Match{best.A - 1, best.B - 1, best.Size + 1}
	}
	for best.A+best.Size < w.aEnd && best.B+best.Size < w.bEnd && d.a[best.A+best.Size] == d.b[best.B+best.Size] {
		best.Size++
	}
	return best
}

// clearSizes clears the sizes that d.longest stored for an offset in the first text; c is the
// symbol at this offset.
func (d *difflib[T]) clearSizes(sizes []int, c T) {
	for _, j := range d.places[c] {
		sizes[j+1] = 0
	}
}
