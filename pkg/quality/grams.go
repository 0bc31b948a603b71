package quality

import "slices"

// grams counts repeated n-grams of words for increasing n. An n-gram can be repeated only if the
// shorter n-gram at its start is repeated. So each step considers only the n-grams that begin with
// a repeated n-gram of the previous step. On a page of prose, the steps for n from 2 to 10 take 1.5
// µs. They would take 14 µs if each step considered all n-grams (go test -bench Grams).
type grams struct {
	n     int      // n of the last step; 0 before the first step
	at    []int32  // indices of the first words of the repeated n-grams, ascending
	hash  []uint64 // hash of each repeated n-gram
	slot  []uint32 // slot of each repeated n-gram in Text.seen
	dirty bool     // Text.seen no longer holds the counts of the repeated n-grams
	done  [maxGram + 1]gramCount
}

// maxGram is the largest n of any metric.
const maxGram = 10

// A gramCount caches the results of the methods repeated, topChars and dupChars for one n.
type gramCount struct {
	repeated memo
	topChars memo
	dupChars memo
}

// A memo is a cached number plus one, or 0 if the number has not been computed yet.
type memo int

func (m *memo) set(n int) { *m = memo(n + 1) }
func (m memo) get() int   { return int(m - 1) }

func (g *grams) reset() { g.n, g.done = 0, [maxGram + 1]gramCount{} }

// repeated returns the number of n-grams that repeat an earlier n-gram, for n from 1 to maxGram. It
// is cheap to call the methods repeated, topChars and dupChars in ascending order of n. A call with
// a smaller n than the last one starts again with all n-grams.
func (t *Text) repeated(n int) int {
	c := &t.grams.done[n].repeated
	if *c == 0 {
		t.findRepeated(n)
	}
	return c.get()
}

// topChars returns the number of characters in all occurrences of the most frequent n-gram,
// counting one space between words. If several n-grams are equally frequent, topChars uses the
// first of them. It returns 0 if no n-gram occurs twice.
func (t *Text) topChars(n int) int {
	g := &t.grams
	c := &g.done[n].topChars
	if *c != 0 {
		return c.get()
	}
	t.findRepeated(n)
	if g.dirty {
		t.countGrams()
	}
	most, chars := uint32(0), 0
	for i, s := range g.slot {
		if count := t.seen.slots[s].count; count > most {
			at := int(g.at[i])
			most, chars = count, int(count)*(t.charsOf(at, at+n)+n-1)
		}
	}
	c.set(chars)
	return chars
}

// dupChars returns the number of characters in the words of n-grams that repeat an earlier one. It
// counts each word once, even if it is in several such n-grams. It ignores the n-grams that occur
// only once, which findRepeated has removed.
func (t *Text) dupChars(n int) int {
	g := &t.grams
	c := &g.done[n].dupChars
	if *c != 0 {
		return c.get()
	}
	t.findRepeated(n)
	g.dirty = true
	t.seen.reset(len(g.hash))
	chars, next := 0, int32(0)
	for i, at := range g.at {
		if t.seen.add(g.hash[i]) > 1 {
			chars += t.charsOf(int(max(at, next)), int(at)+n)
			next = at + int32(n)
		}
	}
	c.set(chars)
	return chars
}

// findRepeated finds the n-grams that occur more than once. It stores them in t.grams, and their
// counts in t.seen. The candidates are the n-grams that begin with a repeated n-gram of the last
// step, or all n-grams if this is the first step or if the last step had a larger n.
func (t *Text) findRepeated(n int) {
	g := &t.grams
	if g.n == n {
		return
	}
	t.scan()
	last := len(t.words) - n
	if g.n == 0 || g.n > n {
		count := max(last+1, 0)
		g.at, g.hash = slices.Grow(g.at[:0], count)[:count], slices.Grow(g.hash[:0], count)[:count]
		for i := range g.at {
			h := uint64(0)
			for _, w := range t.words[i : i+n] {
				h = mix(h, w.hash)
			}
			g.at[i], g.hash[i] = int32(i), h
		}
	} else {
		k := 0
		for i, at := range g.at {
			if int(at) > last {
				break
			}
			h := g.hash[i]
			for j := g.n; j < n; j++ {
				h = mix(h, t.words[int(at)+j].hash)
			}
			g.at[k], g.hash[k] = at, h
			k++
		}
		g.at, g.hash = g.at[:k], g.hash[:k]
	}
	g.n = n
	again := t.countGrams()
	g.done[n].repeated.set(again)
	k := 0
	if again > 0 { // in most texts, true only for small n
		for i, s := range g.slot {
			g.at[k], g.hash[k], g.slot[k] = g.at[i], g.hash[i], s
			// Add 1 if the count is above 1. A branch here would often be mispredicted.
			k += int(uint64(1-int64(t.seen.slots[s].count)) >> 63)
		}
	}
	g.at, g.hash, g.slot = g.at[:k], g.hash[:k], g.slot[:k]
}

// countGrams counts each candidate, using the table t.seen. It returns the number of candidates
// that repeat an earlier candidate.
func (t *Text) countGrams() (again int) {
	g := &t.grams
	t.seen.reset(len(g.hash))
	g.slot = slices.Grow(g.slot[:0], len(g.hash))[:len(g.hash)]
	for i, h := range g.hash {
		at := t.seen.find(h)
		g.slot[i] = at
		s := &t.seen.slots[at]
		if s.count++; s.count > 1 {
			again++
		}
	}
	g.dirty = false
	return again
}
