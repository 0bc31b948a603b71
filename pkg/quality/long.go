package quality

import (
	"math/bits"
	"slices"
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// This file measures a long text in parts. In addition to its bytes, a long text needs a third of
// its size plus about 8 MiB of memory. A short text needs 24 bytes per word, 24 bytes per n-gram
// and up to 64 bytes per count. A part ends between two words. Each pass over the words scans them
// again.
//
// The metrics count words, n-grams and lines in several passes, so that the counts of each pass fit
// into memory. This is slower. On 50 MiB of generated English, the preset fineweb took 9 to 11 s of
// processor time and 217 MiB of process memory in parts, and 2.8 s and 898 MiB in one part,
// including 100 MiB for the record. Texts of 3 kB would take ten times as long in parts (recfilter
// --preset fineweb on 40,000 texts: 13.5 s instead of 1.3 s), so they are measured whole.

// longBytes is the minimum size of a long text.
const longBytes = 2 << 20

// A longText is the state for measuring a long text.
type longText struct {
	least int   // minimum size of a part, in bytes
	part  *Text // the current part
	words int
	grams longGrams
	seen  hashes
	passes
}

// partBytes is the minimum size of a part in bytes. The words of such a part fit into a
// second-level CPU cache.
const partBytes = 1 << 18

func newLong(size int) *longText {
	return &longText{least: partBytes, part: &Text{}, passes: passes{room: (8<<20 + size/3) / slotBytes}}
}

// parts yields the text with its words: as a whole, or in parts if the text is long.
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

// partLen returns the length of the first part of a text. The part has least bytes or more. It ends
// at a position that no word spans, or at the end of the text. Such a position is next to white
// space or next to a letter of a script without spaces.
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

// passes counts hashes in bounded memory: each pass counts the hashes of one range.
//
// A [table] cannot replace passes. The number of slots of a table is a power of two, so up to half
// of room would be unused. A slot of a table stores its use where a passSlot stores first. The
// hashes of dupCharsLong cannot be divided into passes; a set of hashes needs half the space of
// slots of either kind.
type passes struct {
	room  int // maximum number of slots that count allocates
	slots []passSlot
	used  int
	at, n uint64 // index of the current pass, and number of passes
}

// A passSlot counts a hash and records where it occurred first.
type passSlot struct {
	hash  uint64
	first uint32
	count uint32 // 0: free
}

const slotBytes = 16

// count calls each once per pass. Each call must pass all hashes, total in number, to p.countHash,
// always in the same order. p.countHash returns nil for the hashes of other passes.
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

// countHash counts a hash and returns its slot, or nil if another pass counts the hash. place is
// where the hash occurs.
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

// hashes is a set of hashes with fixed capacity.
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

// longGrams counts the repeated n-grams of a long text like grams. To save memory, it marks their
// starts with one bit per word, and hashes them again in each pass.
type longGrams struct {
	n        int      // the n of the step that computed starts; 0: no step yet
	starts   []uint64 // one bit per word, set if a repeated n-gram starts there
	other    []uint64 // bits of the previous step, for reuse
	left     int      // number of bits set in starts
	repeated int      // number of distinct n-grams that are repeated
}

func setBit(bits []uint64, at int) { bits[at/64] |= 1 << (at % 64) }

// eachGram calls fn with the start, the hash and the number of characters of each n-gram that may
// be repeated, in order. After a step with a smaller n, these are the n-grams whose first words are
// repeated; otherwise they are all n-grams.
func (t *Text) eachGram(n int, fn func(at int, hash uint64, chars int)) {
	type gramWord struct {
		hash  uint64
		chars int
	}
	g := &t.long.grams
	all := g.n == 0 || g.n > n
	var words []gramWord // the last n-1 words before the part, then its own
	at := 0
	for p := range t.parts {
		for i := range p.words {
			words = append(words, gramWord{p.words[i].hash, p.charsOf(i, i+1)})
		}
		i := 0
		for ; i+n <= len(words); i++ {
			if first := at + i; all || g.starts[first/64]>>(first%64)&1 != 0 {
				hash, chars := uint64(0), 0
				for _, w := range words[i : i+n] {
					hash = mix(hash, w.hash)
					chars += w.chars
				}
				fn(first, hash, chars)
			}
		}
		at += i
		words = append(words[:0], words[i:]...)
	}
}

// findRepeatedLong is findRepeated for a long text: it computes the results of repeated and
// topChars, and records where the repeated n-grams start.
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
		t.eachGram(n, func(at int, hash uint64, chars int) {
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
				best, topChars = *s, int(s.count)*(chars+n-1)
			}
		})
	})
	*g = longGrams{n: n, starts: starts, other: g.starts, left: again + repeated, repeated: repeated}
	c.repeated.set(again)
	c.topChars.set(topChars)
}

// dupCharsLong is dupChars for a long text.
func (t *Text) dupCharsLong(n int) (chars int) {
	size := t.long.grams.repeated*4/3 + 8
	seen, next := slices.Grow(t.long.seen[:0], size)[:size], 0
	clear(seen)
	t.long.seen = seen
	t.eachGram(n, func(at int, hash uint64, size int) {
		if at >= next && seen.add(hash) {
			chars += size
			next = at + n
		}
	})
	return chars
}
