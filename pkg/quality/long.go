package quality

import (
	"math/bits"
	"slices"
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// A long text is measured in parts, to limit memory. In addition to the text itself, measuring a
// long text needs a third of its size plus about 8 MiB of memory. A short text needs 24 bytes per
// word, 24 bytes per n-gram and up to 64 bytes per counted hash. A part ends between two words, and
// its words are found again in each pass over the text.
//
// The metrics count words, n-grams and lines in several passes, so that the counts of each pass fit
// into memory. For 50 MiB of generated English, the preset fineweb took 9 to 11 s of processor time
// and 217 MiB of process memory in parts, but 2.8 s and 898 MiB in one part. Both sizes include 100
// MiB for the record. Measured in parts, texts of 3 kB would take ten times as long (recfilter
// --preset fineweb on 40,000 texts: 13.5 s instead of 1.3 s), so short texts are measured as a
// whole.

// longBytes is the minimum size of a long text, in bytes.
const longBytes = 2 << 20

// A longText is the state for measuring a long text.
type longText struct {
	least int   // minimum size of a part, in bytes
	part  *Text // the part being measured
	words int
	grams longGrams
	seen  hashes
	passes
}

// partBytes is the minimum size of a part, in bytes. The words of a part of this size fit into a
// second-level CPU cache.
const partBytes = 1 << 18

func newLong(size int) *longText {
	return &longText{least: partBytes, part: &Text{}, passes: passes{room: (8<<20 + size/3) / slotBytes}}
}

// parts yields t itself, or the parts of t if the text is long. Each Text that it yields has been
// scanned for words. A part is valid only until the next one is yielded.
func (t *Text) parts(yield func(*Text) bool) {
	if t.long == nil {
		t.scan()
		yield(t)
		return
	}
	for rest, more := t.raw, true; more && len(rest) > 0; {
		n := partLen(rest, t.long.least)
		t.long.part.setText(rest[:n])
		t.long.part.scan()
		more = yield(t.long.part)
		rest = rest[n:]
	}
}

// partLen returns the length of the first part of a text: the smallest length, but at least the
// given minimum, at which no word is cut, because white space or a letter of a script without
// spaces is next to the cut. If there is no such length, the part is the whole text.
func partLen(b []byte, least int) int {
	for at := max(least, 1); at < len(b); at++ {
		if asciiClass[b[at-1]] == space || asciiClass[b[at]] == space {
			return at
		}
		if b[at-1] < utf8.RuneSelf && b[at] < utf8.RuneSelf || !utf8.RuneStart(b[at]) {
			continue
		}
		before, n := utf8.DecodeLastRune(b[:at])
		after, size := utf.Decode(b[at:])
		if n > 1 && classOf(before)&classBits == lone || size > 1 && classOf(after)&classBits == lone {
			return at
		}
	}
	return len(b)
}

// passes counts hashes in bounded memory: it divides all 64-bit hashes into ranges, and each pass
// counts the hashes in one range.
//
// A [table] is not used for long texts: its size is a power of two, so up to half of the permitted
// memory would be unused, and its slots do not record where a hash occurred first. dupCharsLong
// needs all hashes in one pass, so it uses the type hashes, which needs 8 bytes per slot instead of
// 16.
type passes struct {
	room  int // maximum number of slots that passes.count allocates
	slots []passSlot
	used  int
	at, n uint64 // index of the current pass, and number of passes
}

// A passSlot counts a hash and records where it occurred first.
type passSlot struct {
	hash  uint64
	first uint32
	count uint32 // 0 if the slot is free
}

const slotBytes = 16

// count runs the passes, and calls the given function once in each. In every pass, the function
// must call p.countHash at most total times, for the same hashes in the same order.
func (p *passes) count(total int, each func()) {
	size := max(min(p.room, 2*total), 64)
	if len(p.slots) < size {
		p.slots = make([]passSlot, size)
	}
	p.n = uint64(total/(size*3/4) + 1)
	for p.at = 0; p.at < p.n; p.at++ {
		clear(p.slots)
		p.used = 0
		each()
	}
}

// countHash counts a hash and returns its slot, or returns nil if the hash belongs to another pass.
// At the hash's first occurrence, the slot also records the given place.
func (p *passes) countHash(hash uint64, place uint32) *passSlot {
	x := hash * mulA
	if pass, _ := bits.Mul64(bits.RotateLeft64(x, 32), p.n); pass != p.at {
		return nil
	}
	if p.used > len(p.slots)/8*7 { // more hashes in this pass than expected
		was := p.slots
		p.slots = make([]passSlot, 2*len(was))
		for _, s := range was {
			if s.count > 0 {
				*p.find(s.hash) = s
			}
		}
	}
	s := p.find(hash)
	if s.count == 0 {
		p.used++
		s.hash, s.first = hash, place
	}
	s.count++
	return s
}

// find returns the slot of a hash or, if the hash is new, the free slot for it.
func (p *passes) find(hash uint64) *passSlot {
	at, _ := bits.Mul64(hash*mulA, uint64(len(p.slots)))
	for ; ; at++ {
		if at == uint64(len(p.slots)) {
			at = 0
		}
		if s := &p.slots[at]; s.count == 0 || s.hash == hash {
			return s
		}
	}
}

// hashes is a set of hashes with a fixed capacity, in a hash table with open addressing. At least
// one slot must be free.
type hashes []uint64

// add adds a hash and reports whether the set already had it.
func (s hashes) add(hash uint64) bool {
	hash = max(hash, 1) // 0 marks a free slot, so hash 0 is stored as 1
	at, _ := bits.Mul64(hash*mulA, uint64(len(s)))
	for ; ; at++ {
		if at == uint64(len(s)) {
			at = 0
		}
		switch s[at] {
		case hash:
			return true
		case 0:
			s[at] = hash
			return false
		}
	}
}

// longGrams does for a long text what grams does for a short one. To save memory, it marks the
// first words of the repeated n-grams with one bit per word. The n-grams are hashed again in each
// pass.
type longGrams struct {
	n        int      // n of the last step, which set the fields below; 0 before the first step
	starts   []uint64 // one bit per word, set if a repeated n-gram starts there
	other    []uint64 // bits of the previous step, kept to reuse the memory
	left     int      // number of bits set in starts
	repeated int      // number of distinct n-grams that are repeated
}

func setBit(bits []uint64, at int) { bits[at/64] |= 1 << (at % 64) }

// A gramWord is a word of an n-gram: its hash, and its number of characters.
type gramWord struct {
	hash  uint64
	chars int
}

func charsIn(words []gramWord) (chars int) {
	for _, w := range words {
		chars += w.chars
	}
	return chars
}

// eachGram calls fn, in text order, with the start, the hash and the words of each n-gram that may
// be repeated. If the last step had a smaller n, these are the n-grams that begin
// with a repeated n-gram of that step; otherwise, they are all n-grams.
func (t *Text) eachGram(n int, fn func(at int, hash uint64, words []gramWord)) {
	g := &t.long.grams
	all := g.n == 0 || g.n > n
	var words []gramWord // the last n-1 words before the part, then the words of the part
	at := 0
	for p := range t.parts {
		for i := range p.words {
			words = append(words, gramWord{p.words[i].hash, p.charsOf(i, i+1)})
		}
		i := 0
		for ; i+n <= len(words); i++ {
			if first := at + i; all || g.starts[first/64]>>(first%64)&1 != 0 {
				hash := uint64(0)
				for _, w := range words[i : i+n] {
					hash = mix(hash, w.hash)
				}
				fn(first, hash, words[i:i+n])
			}
		}
		at += i
		words = append(words[:0], words[i:]...)
	}
}

// findRepeatedLong is findRepeated for a long text. It computes the results of the methods repeated
// and topChars, and marks the first words of the repeated n-grams.
func (t *Text) findRepeatedLong(n int) {
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
		t.eachGram(n, func(at int, hash uint64, words []gramWord) {
			s := t.long.countHash(hash, uint32(at))
			if s == nil || s.count == 1 {
				return
			}
			if again++; s.count == 2 {
				repeated++
				setBit(starts, int(s.first))
			}
			setBit(starts, at)
			// If several n-grams are equally frequent, use the first.
			if s.count > best.count || s.count == best.count && s.first < best.first {
				best, topChars = *s, int(s.count)*(charsIn(words)+n-1)
			}
		})
	})
	*g = longGrams{n: n, starts: starts, other: g.starts, left: again + repeated, repeated: repeated}
	c.repeated.set(again)
	c.topChars.set(topChars)
}

// dupCharsLong does for a long text what dupChars does for a short one.
func (t *Text) dupCharsLong(n int) (chars int) {
	size := t.long.grams.repeated*4/3 + 8
	seen, next := slices.Grow(t.long.seen[:0], size)[:size], 0
	clear(seen)
	t.long.seen = seen
	t.eachGram(n, func(at int, hash uint64, words []gramWord) {
		if seen.add(hash) {
			chars += charsIn(words[max(0, next-at):])
			next = at + n
		}
	})
	return chars
}
