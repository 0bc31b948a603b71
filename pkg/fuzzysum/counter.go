package fuzzysum

import (
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// Buckets is the number of counts, and of bits in a sum.
const Buckets = 128

// The hash of a word is 64-bit FNV-1a over the UTF-8 of its folded characters.
const (
	fnvOffset = 0xcbf29ce484222325
	fnvPrime  = 0x100000001b3
)

// A counter counts the words of a text by bucket. FNV-1a alone would put all words of one
// or two letters into one bucket, whichever bits were used, so bucket mixes the hash again.
// Counting takes 1.3 ns per byte of English, and up to 2 ns per byte of other scripts,
// where each byte waits for the hash of the byte before:
//
//	go test ./pkg/fuzzysum -bench Hasher
type counter struct {
	counts [Buckets]uint64
	words  uint64
	hash   uint64   // hash of the open word; fnvOffset between words
	window []uint64 // the hashes of the last words, newest first; its capacity is Options.Words
	runes  runeCache
	sums   [1 << (MaxWords - 1)]uint64 // sums of slideWindow
}

func (c *counter) reset() {
	c.counts = [Buckets]uint64{}
	c.words, c.hash, c.window = 0, fnvOffset, c.window[:0]
}

// addText counts the words of p, which must end with a complete character. The last word
// remains open: the next text may continue it.
func (c *counter) addText(p []byte) {
	for len(p) > 0 {
		p = p[c.addASCII(p):]
		p = p[c.addRunes(p):]
	}
}

// addASCII counts up to the first byte that is not ASCII, and returns the number of bytes
// counted.
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

// addRunes counts up to the first byte that is ASCII, and returns the number of bytes
// counted. A byte that is not UTF-8 counts as a letter, because it most likely is a
// letter in another charset.
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

// closeWord counts the open word, if there is one, and returns fnvOffset, which means
// that no word is open.
func (c *counter) closeWord(hash uint64) uint64 {
	c.hash = hash
	c.endWord()
	return fnvOffset
}

// endWord counts the open word, if there is one.
func (c *counter) endWord() {
	if c.hash == fnvOffset {
		return
	}
	c.words++
	if cap(c.window) == 1 {
		c.counts[bucket(c.hash)]++
	} else {
		c.slideWindow(c.hash)
	}
	c.hash = fnvOffset
}

// golden is 2^64 divided by the golden ratio.
const golden = 0x9e3779b97f4a7c15

func bucket(hash uint64) uint64 {
	return (hash ^ hash>>32) * golden >> 57
}

// slideWindow moves the window forward by one word and counts the word's features. These are the
// sparse features of CRM114: each subset of the window's words that includes the newest, with
// the others left blank. With the newest as word 0, the hash of a subset is the sum over its
// words j of their hashes times golden^j. A window of n words has 2^(n-1) subsets.
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
		c.counts[bucket(sum)]++
	}
}
