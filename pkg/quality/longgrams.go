package quality

import "slices"

// longGrams counts the repeated n-grams of a long text as grams does, but holds where
// they start in a bit for each word, and hashes them again in each pass.
type longGrams struct {
	n        int      // the step that starts belongs to; 0: none yet
	starts   []uint64 // a bit for each word: an n-gram that occurs more than once starts with it
	other    []uint64 // the memory of those before
	left     int      // the bits that are set
	repeated int      // different n-grams that occur more than once
}

func set(bits []uint64, at int)      { bits[at/64] |= 1 << (at % 64) }
func has(bits []uint64, at int) bool { return bits[at/64]>>(at%64)&1 != 0 }

// eachGram calls fn with the place, the hash and the characters of the n-grams that may
// be repeated, in order: all, or those whose beginning is.
func (t *Text) eachGram(n int, fn func(at int, hash uint64, chars int)) {
	g := &t.long.grams
	all := g.n == 0 || g.n > n
	var words []gramWord // the last n-1 before the part, and its own
	at := 0
	for p := range t.parts {
		for i := range p.words {
			words = append(words, gramWord{p.words[i].hash, p.charsOf(i, i+1)})
		}
		i := 0
		for ; i+n <= len(words); i++ {
			if all || has(g.starts, at+i) {
				hash, chars := join(words[i : i+n])
				fn(at+i, hash, chars)
			}
		}
		at += i
		words = append(words[:0], words[i:]...)
	}
}

// A gramWord is what an n-gram knows of a word.
type gramWord struct {
	hash  uint64
	chars int
}

func join(words []gramWord) (hash uint64, chars int) {
	for _, w := range words {
		hash = mix(hash, w.hash)
		chars += w.chars
	}
	return hash, chars
}

// stepLong finds what grams are known by, of n, and leaves where the repeated ones
// start.
func (t *Text) stepLong(n int) {
	g, c := &t.long.grams, &t.grams.done[n]
	if g.n == n {
		return
	}
	starts := slices.Grow(g.other[:0], t.count()/64+1)[:t.count()/64+1]
	clear(starts)
	best, topChars, again := passSlot{}, 0, 0
	total := g.left
	if g.n == 0 || g.n > n {
		total = t.count()
	}
	repeated := 0
	t.long.passes.count(total, func() {
		t.eachGram(n, func(at int, hash uint64, chars int) {
			s := t.long.met(hash, uint32(at))
			if s == nil || s.count == 1 {
				return
			}
			if again++; s.count == 2 {
				repeated++
				set(starts, int(s.first))
			}
			set(starts, at)
			// Of equally common ones the first counts.
			if s.count > best.count || s.count == best.count && s.first < best.first {
				best, topChars = *s, int(s.count)*(chars+n-1)
			}
		})
	})
	*g = longGrams{n: n, starts: starts, other: g.starts, left: again + repeated, repeated: repeated}
	c.repeated.set(again)
	c.topChars.set(topChars)
}

// countDupLong is countDup.
func (t *Text) countDupLong(n int) (chars int) {
	t.long.seen = t.long.seen.sized(t.long.grams.repeated)
	seen, next := t.long.seen, 0
	t.eachGram(n, func(at int, hash uint64, size int) {
		if at >= next && seen.add(hash) {
			chars += size
			next = at + n
		}
	})
	return chars
}
