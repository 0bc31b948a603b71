package quality

import (
	"math/bits"
	"slices"
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// A long text is measured in parts, so that what is held for it beside its bytes is
// a third of them again and some 8 MiB: a short one takes 24 bytes for each word, as
// much again for n-grams and up to 64 for their counts. The parts end between words;
// each pass over the words scans them again. What is counted of all words, n-grams or
// lines goes in as many passes as the counts have room for, which makes it
// slower: of 50 MiB of made English the preset fineweb took 2.8 s of the processor and
// 898 MiB of the process at once, and takes 9 to 11 s and 217 MiB in parts, of which 100
// are the record. Texts of 3 kB, all measured so, take ten times as long (recfilter
// --preset fineweb of 40,000: 13.5 s of the processor, and 1.3): those stay whole.

// longBytes is the size from which a text is long.
const longBytes = 2 << 20

// A longText is what is known of a long text as a whole.
type longText struct {
	least int   // bytes of a part, after which it may end
	part  *Text // the part at hand
	words int
	grams longGrams
	seen  hashes
	passes
}

// partBytes is the least length of a part: its words stay in a second-level cache.
const partBytes = 1 << 18

func newLong(size int) *longText {
	return &longText{least: partBytes, part: &Text{}, passes: passes{room: (8<<20 + size/3) / slotBytes}}
}

// parts yields the text with its words: all of it, or in parts if it is long.
func (t *Text) parts(yield func(*Text) bool) {
	if t.long == nil {
		t.scan()
		yield(t)
		return
	}
	for rest, more := t.raw, true; more && len(rest) > 0; {
		n := partLen(rest, t.long.least)
		t.long.part.set(rest[:n])
		t.long.part.scan()
		more = yield(t.long.part)
		rest = rest[n:]
	}
}

// partLen returns the length of the part that a text begins with: at least so many
// bytes, up to where no word goes on. That is beside white space, or a character that
// is a word by itself.
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

// passes counts more hashes than there is room for: in each pass those whose hash
// falls to it.
//
// It is no [table], though both count: a table has a power of two of slots, which would
// leave up to half of the room unused, and spends on the number of the use what a place
// takes here. The hashes of dupCharsLong, which cannot fall into passes, take half of
// what the slots of either would.
type passes struct {
	room  int // slots
	slots []passSlot
	used  int
	at, n uint64 // this pass, of how many
}

// A passSlot counts a hash, which was met first at a place.
type passSlot struct {
	hash  uint64
	first uint32
	count uint32 // 0: no hash
}

const slotBytes = 16

// count calls each once a pass. It hands all of total hashes, always in the same order,
// to p.met, which returns nil for those of other passes.
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

// met counts a hash and returns its slot, or nil if another pass counts it.
func (p *passes) met(hash uint64, place uint32) *passSlot {
	x := hash * mulA
	if pass, _ := bits.Mul64(bits.RotateLeft64(x, 32), p.n); pass != p.at {
		return nil
	}
	if p.used > len(p.slots)/8*7 { // the hashes of one pass are more than expected
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

// find returns the slot of a hash, or the one where it belongs.
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

// hashes is a set that has room for what it was made for.
type hashes []uint64

// add adds a hash and reports whether it was there.
func (s hashes) add(hash uint64) bool {
	hash = max(hash, 1) // 0 is no hash, and as good as 1
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

// longGrams counts the repeated n-grams of a long text as grams does, but holds where
// they start in a bit for each word, and hashes them again in each pass.
type longGrams struct {
	n        int      // the step that starts belongs to; 0: none yet
	starts   []uint64 // a bit for each word: an n-gram that occurs more than once starts with it
	other    []uint64 // the memory of the bits of the step before
	left     int      // the bits that are set
	repeated int      // different n-grams that occur more than once
}

func set(bits []uint64, at int) { bits[at/64] |= 1 << (at % 64) }

// eachGram calls fn with the place, the hash and the characters of the n-grams that may
// be repeated, in order: all, or those whose beginning is.
func (t *Text) eachGram(n int, fn func(at int, hash uint64, chars int)) {
	type gramWord struct {
		hash  uint64
		chars int
	}
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

// stepLong is step: it finds what repeated and topChars return, and leaves where the
// repeated n-grams start.
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

// dupCharsLong is dupChars.
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
