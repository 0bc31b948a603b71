package overlap

import (
	"slices"
	"sort"
	"unicode/utf8"
)

// A locator finds where words are in a text. The shingler does not say so, but it
// counts words, and white space of ASCII parts words under every normalisation. So
// the text is cut there, and the pieces are counted: a long piece without a wanted
// word is passed over, one of a single word is its place, with the punctuation that
// touches it.
type locator struct {
	words  *words
	wanted []int // the numbers of words, in order
	ends   []int // start and end of each
	text   []byte
}

// chunk is how many bytes are counted at once.
const chunk = 4 << 10

// locate finds the words of these numbers.
func (l *locator) locate(text []byte, numbers []int) {
	l.wanted = append(l.wanted[:0], numbers...)
	slices.Sort(l.wanted)
	l.wanted = slices.Compact(l.wanted)
	l.ends, l.text = l.ends[:0], text
	for at, word := 0, 0; at < len(text) && !l.done(); {
		end := nextBlank(text, min(len(text), at+chunk))
		n := l.words.count(text[at:end])
		if l.wants(word, n) {
			l.chunk(at, end, word)
		}
		at, word = end, word+n
	}
	for !l.done() {
		l.ends = append(l.ends, len(text), len(text)) // if words were counted otherwise in pieces
	}
}

// place returns where a word is that was asked for.
func (l *locator) place(word int) (start, end int) {
	i := sort.SearchInts(l.wanted, word)
	return l.ends[2*i], l.ends[2*i+1]
}

func (l *locator) done() bool { return len(l.ends) == 2*len(l.wanted) }

// wants reports whether one of the n words from a number on is wanted, and not found.
func (l *locator) wants(word, n int) bool { return !l.done() && l.wanted[len(l.ends)/2] < word+n }

// nextBlank returns the first place from at on at which white space of ASCII is.
func nextBlank(text []byte, at int) int {
	for at < len(text) && !blank(text[at]) {
		at++
	}
	return at
}

func blank(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }

// chunk looks at the pieces of a chunk, the first word of which has a number.
func (l *locator) chunk(at, end, word int) {
	for at < end && !l.done() {
		for at < end && blank(l.text[at]) {
			at++
		}
		next := nextBlank(l.text[:end], at)
		n := l.words.count(l.text[at:next])
		if l.wants(word, n) {
			l.piece(at, next, word, n)
		}
		at, word = next, word+n
	}
}

// mostTried is how many places near the middle of a piece are tried for a cut.
const mostTried = 16

// piece finds the wanted words of a piece of n words. It is cut in two near the
// middle, at a place that parts no word: both halves have n words in all.
func (l *locator) piece(at, end, word, n int) {
	if n == 1 {
		l.ends = append(l.ends, at, end)
		return
	}
	cut := at + (end-at)/2
	for range mostTried {
		if cut = l.letter(cut, end); cut == end {
			break
		}
		if left := l.words.count(l.text[at:cut]); left > 0 && left < n && left+l.words.count(l.text[cut:end]) == n {
			if l.wants(word, left) {
				l.piece(at, cut, word, left)
			}
			if l.wants(word+left, n-left) {
				l.piece(cut, end, word+left, n-left)
			}
			return
		}
		cut++
	}
	l.bisect(at, end, word, n)
}

// bisect finds the wanted words of a piece, each by the longest beginning of the piece
// that has no more words than come before it.
func (l *locator) bisect(at, end, word, n int) {
	start := func(i int) int { // of the i-th word
		if i == n {
			return end
		}
		k := sort.Search(end-at, func(k int) bool { return l.words.count(l.text[at:l.letter(at+k, end)]) > i })
		return at + max(0, k-1)
	}
	for l.wants(word, n) {
		i := l.wanted[len(l.ends)/2] - word
		stop := start(i + 1)
		// The letter with which the next word begins may belong to this word, too, as a
		// fraction in one letter does.
		before, next := len(l.words.spell(nil, l.text[at:stop])), l.letter(min(stop+1, end), end)
		if endOf(l.words.spell(nil, l.text[at:next]), i+1) > before {
			stop = next
		}
		l.ends = append(l.ends, start(i), stop)
	}
}

// letter returns the first place from at on at which a letter begins, or the end.
func (l *locator) letter(at, end int) int {
	for at < end && !utf8.RuneStart(l.text[at]) {
		at++
	}
	return at
}
