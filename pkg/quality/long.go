package quality

import (
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// A long text is measured in parts, so that what is held for it beside its bytes is
// a third of them again and some 8 MiB: a short one takes 24 bytes for each word, as
// much again for n-grams and up to 64 for their counts. The parts end between words;
// each pass over the words scans them again. What is counted of all words, n-grams or
// lines goes in as many passes as the counts have room for (passes.go), which makes it
// slower: of 50 MiB of made English the preset fineweb took 2.8 s of the processor and
// 898 MiB of the process at once, and takes 9 to 11 s and 217 MiB in parts, of which 100
// are the record. Texts of 3 kB, all measured so, take ten times as long (recfilter
// --preset fineweb of 40,000: 13.5 s of the processor, and 1.3): those stay whole.

// longBytes is from where on a text is long.
const longBytes = 2 << 20

// A long text has what is known of it as a whole.
type longText struct {
	least int   // bytes of a part, from where on it may end
	part  *Text // the one at hand
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
// bytes, up to where no word goes on.
func partLen(b []byte, least int) int {
	for at := max(least, 1); at < len(b); at++ {
		if asciiClass[b[at-1]] == space || asciiClass[b[at]] == space || besideLone(b, at) {
			return at
		}
	}
	return len(b)
}

// besideLone reports whether a character that is a word by itself ends or begins at
// b[at].
func besideLone(b []byte, at int) bool {
	if b[at-1] < utf8.RuneSelf && b[at] < utf8.RuneSelf || !utf8.RuneStart(b[at]) {
		return false
	}
	before, n := utf8.DecodeLastRune(b[:at])
	after, size := utf.Decode(b[at:])
	return n > 1 && classOf(before)&classBits == lone || size > 1 && classOf(after)&classBits == lone
}

// scanLong finds what is known of a long text as a whole.
func (t *Text) scanLong() {
	t.scanned, t.chars, t.special, t.inWords, t.long.words = true, 0, 0, 0, 0
	for p := range t.parts {
		t.chars += p.chars
		t.special += p.special
		t.inWords += p.inWords
		t.long.words += len(p.words)
	}
}
