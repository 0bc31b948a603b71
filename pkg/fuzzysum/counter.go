package fuzzysum

import (
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// Buckets is the number of buckets that words are hashed into, and the number of bits in a sum.
const Buckets = 128

// The hash of a word is the 64-bit FNV-1a hash of its folded characters in UTF-8.
const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
)

// A counter counts the words of a text by bucket. FNV-1a alone would put all words of one or two
// letters into one bucket, whichever bits of the hash were used, so the function bucket mixes the
// hash again. Counting takes 1.3 ns per byte of English text, and up to 2 ns per byte of text in
// other scripts, as measured with
//
//	go test ./pkg/fuzzysum -bench Hasher
type counter struct {
	counts [Buckets]uint64
	words  uint64
	hash   uint64          // hash of the current, unfinished word; fnvOffset between words
	window []uint64        // hashes of the last words, newest first; its capacity is Options.Words
	seen   map[uint64]bool // hashes counted so far, if each is counted only once; otherwise nil
	runes  runeCache
	sums   [1 << (MaxWords - 1)]uint64 // scratch memory of slideWindow
}

func (c *counter) reset() {
	c.counts = [Buckets]uint64{}
	c.words, c.hash, c.window = 0, fnvOffset, c.window[:0]
	clear(c.seen)
}

// addText counts the words of p, which must end with a complete character. The last word is not
// counted yet, because the next call may continue it.
func (c *counter) addText(p []byte) {
	for len(p) > 0 {
		p = p[c.addASCII(p):]
		p = p[c.addRunes(p):]
	}
}

// addASCII counts the words before the first byte of p that is not ASCII, and returns the number of
// bytes before it.
func (c *counter) addASCII(p []byte) int {
	hash := c.hash
	for i, b := range p {
		switch class := ascii[b]; {
		case class < separator:
			hash = (hash ^ uint64(class)) * fnvPrime
		case class == notASCII:
			c.hash = hash
			return i
		case hash != fnvOffset:
			c.hash = hash
			c.endWord()
			hash = fnvOffset
		}
	}
	c.hash = hash
	return len(p)
}

// addRunes counts the words before the first ASCII byte of p, and returns the number of bytes
// before it. A byte that is not valid UTF-8 counts as a letter, because it is probably a letter in
// another charset.
func (c *counter) addRunes(p []byte) (i int) {
	hash := c.hash
	for i < len(p) && p[i] >= utf8.RuneSelf {
		r, n := utf.Decode(p[i:])
		if r == utf8.RuneError && n == 1 {
			hash = (hash ^ uint64(p[i])) * fnvPrime
			i++
			continue
		}
		i += n
		known := c.runes.lookup(r)
		if known.class != partOfWord {
			hash = c.closeWord(hash)
		}
		if known.class == noWord {
			continue
		}
		for text := known.folded; text != 0; text >>= 8 {
			hash = (hash ^ uint64(text&0xff)) * fnvPrime
		}
		if known.class == wholeWord {
			hash = c.closeWord(hash)
		}
	}
	c.hash = hash
	return i
}

// closeWord counts the word with the given hash. If the hash is fnvOffset, there is no word to
// count. closeWord returns fnvOffset, the initial hash of the next word.
func (c *counter) closeWord(hash uint64) uint64 {
	c.hash = hash
	c.endWord()
	return fnvOffset
}

// endWord counts the current word, if there is one.
func (c *counter) endWord() {
	if c.hash == fnvOffset {
		return
	}
	c.words++
	if cap(c.window) == 1 {
		c.count(c.hash)
	} else {
		c.slideWindow(c.hash)
	}
	c.hash = fnvOffset
}

// count counts a hash, unless it is counted only once and was counted already.
func (c *counter) count(hash uint64) {
	if c.seen != nil {
		if c.seen[hash] {
			return
		}
		c.seen[hash] = true
	}
	c.counts[bucket(hash)]++
}

// golden is 2^64 divided by the golden ratio, a common multiplier for mixing hashes.
const golden = 0x9e3779b97f4a7c15

func bucket(hash uint64) uint64 {
	return (hash ^ hash>>32) * golden >> 57
}

// slideWindow adds a word to the window and counts the features of the window. A feature is a
// subset of the words in the window that includes the newest word; a window of n words has 2^(n-1)
// features. Features resemble the sparse features of the spam filter CRM114. If the newest word is
// word 0, the hash of a feature is the sum of hash(j)·golden^j over its words j.
func (c *counter) slideWindow(hash uint64) {
	if len(c.window) < cap(c.window) {
		c.window = append(c.window, 0)
	}
	copy(c.window[1:], c.window)
	c.window[0] = hash
	sums := &c.sums
	sums[0] = hash
	n, power := 1, uint64(1)
	for _, word := range c.window[1:] {
		power *= golden
		for i, sum := range sums[:n] {
			sums[n+i] = sum + word*power
		}
		n *= 2
	}
	for _, sum := range sums[:n] {
		c.count(sum)
	}
}
