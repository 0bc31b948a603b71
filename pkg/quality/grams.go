package quality

import "slices"

// grams counts repeated n-grams of words, for growing n. An n-gram can only be
// repeated if the two shorter n-grams in it are, so each step looks at the
// survivors of the step before. On a page of prose all n from 2 to 10 take
// 1.5 µs, and 14 µs if each n looks at all words (go test -bench Grams).
type grams struct {
	n     int      // the step that at and hash belong to; 0: none yet
	at    []int32  // where n-grams start that occur more than once, ascending
	hash  []uint64 // their hashes
	slot  []uint32 // and where in seen they are counted
	dirty bool     // seen has other counts
	done  [maxGram + 1]gramCount
}

// maxGram is the longest n-gram that a metric asks for.
const maxGram = 10

// A gramCount is what is known about the n-grams of one n.
type gramCount struct {
	repeated memo // occurrences after the first, over all n-grams
	topChars memo // characters of all occurrences of the commonest, if repeated
	dupChars memo // characters in occurrences after the first, without overlap
}

// A memo is one more than a number that is known, and 0 if it is not.
type memo int

func (m *memo) set(n int) { *m = memo(n + 1) }
func (m memo) get() int   { return int(m - 1) }

func (g *grams) reset() {
	g.n, g.done = 0, [maxGram + 1]gramCount{}
}

// repeated returns how often an n-gram occurs that has occurred before; n is 1
// to maxGram. Asking this and what follows in ascending order of n is cheap; a
// smaller n than before starts again.
func (t *Text) repeated(n int) int {
	c := &t.grams.done[n].repeated
	if *c == 0 {
		t.step(n)
	}
	return c.get()
}

// topChars returns the characters of all occurrences of the commonest n-gram,
// its words joined by one space; of equally common ones, the first. It is 0 if
// none occurs twice.
func (t *Text) topChars(n int) int {
	c := &t.grams.done[n].topChars
	if *c == 0 {
		t.step(n)
		if t.long == nil {
			c.set(t.countTop(n))
		}
	}
	return c.get()
}

// dupChars returns the characters of words in n-grams that have occurred
// before, no word counted twice.
func (t *Text) dupChars(n int) int {
	c := &t.grams.done[n].dupChars
	if *c == 0 {
		t.step(n)
		c.set(t.countDup(n))
	}
	return c.get()
}

// step leaves the n-grams that occur more than once as candidates.
func (t *Text) step(n int) {
	g := &t.grams
	if t.long != nil {
		t.stepLong(n)
		return
	}
	if g.n == n {
		return
	}
	t.candidates(n)
	g.done[n].repeated.set(t.survive())
}

// candidates sets at to where repeated n-grams may start, and hash to the
// hashes of the n-grams there.
func (t *Text) candidates(n int) {
	g := &t.grams
	if g.n == 0 || g.n > n {
		t.allGrams(n)
		return
	}
	last := len(t.words) - n
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
	g.at, g.hash, g.n = g.at[:k], g.hash[:k], n
}

// allGrams makes every n-gram a candidate.
func (t *Text) allGrams(n int) {
	t.scan()
	g, words := &t.grams, t.words
	count := max(len(words)-n+1, 0)
	g.n, g.at, g.hash = n, slices.Grow(g.at[:0], count)[:count], slices.Grow(g.hash[:0], count)[:count]
	for i := range g.at {
		h := uint64(0)
		for _, w := range words[i : i+n] {
			h = mix(h, w.hash)
		}
		g.at[i], g.hash[i] = int32(i), h
	}
}

// survive keeps the candidates that occur more than once, and leaves their
// counts in t.seen. It returns how many of them have occurred before.
func (t *Text) survive() (again int) {
	g := &t.grams
	again = t.countAll()
	if again == 0 { // as in most texts, from some n on
		g.at, g.hash, g.slot = g.at[:0], g.hash[:0], g.slot[:0]
		return 0
	}
	k := 0
	for i, s := range g.slot {
		g.at[k], g.hash[k], g.slot[k] = g.at[i], g.hash[i], s
		k += above1(t.seen.slots[s].count) // no branch, for nothing foresees it
	}
	g.at, g.hash, g.slot = g.at[:k], g.hash[:k], g.slot[:k]
	return again
}

// above1 returns 1 if n is above 1, else 0.
func above1(n uint32) int { return int(uint64(1-int64(n)) >> 63) }

// countAll counts the candidates in t.seen. It returns how many of them have
// occurred before.
func (t *Text) countAll() (again int) {
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

// countTop is topChars, of the survivors.
func (t *Text) countTop(n int) int {
	g := &t.grams
	if g.dirty {
		t.countAll()
	}
	most, chars := uint32(0), 0
	for i, s := range g.slot {
		if c := t.seen.slots[s].count; c > most {
			at := int(g.at[i])
			most, chars = c, int(c)*(t.charsOf(at, at+n)+n-1)
		}
	}
	return chars
}

// countDup walks over the words as Gopher's rule does: an n-gram met before
// counts and is stepped over whole, any other is noted and one word is stepped
// over. Only survivors can be met again, so only they are looked at.
func (t *Text) countDup(n int) int {
	if t.long != nil {
		return t.countDupLong(n)
	}
	g := &t.grams
	g.dirty = true
	t.seen.reset(len(g.hash))
	chars, next := 0, int32(0)
	for i, at := range g.at {
		if at < next {
			continue
		}
		if t.seen.add(g.hash[i]) > 1 {
			chars += t.charsOf(int(at), int(at)+n)
			next = at + int32(n)
		}
	}
	return chars
}
