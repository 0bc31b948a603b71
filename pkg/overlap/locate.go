package overlap

import (
	"slices"
	"sort"
	"unicode/utf8"
)

// A locator finds the positions of words in a text. A [text.Shingler] does not report positions,
// but it counts words, and ASCII white space separates words under every normalisation. So the
// locator counts the words in chunks of the text, which end at white space, and skips chunks
// without a wanted word. The other chunks are divided into pieces at white space. If a piece has a
// single word, the locator takes the range of the piece as the position of the word; the range
// includes adjacent punctuation.
type locator struct {
	words  *words
	wanted []int // numbers of the words to find, in ascending order
	ends   []int // start and end of each word found so far
	text   []byte
}

// chunkBytes is the approximate size of a chunk, in bytes.
const chunkBytes = 4 << 10

// locate finds the words with the given numbers in a text. Afterwards, l.position returns their
// byte ranges.
func (l *locator) locate(text []byte, numbers []int) {
	l.wanted = append(l.wanted[:0], numbers...)
	slices.Sort(l.wanted)
	l.wanted = slices.Compact(l.wanted)
	l.ends, l.text = l.ends[:0], text
	for at, word := 0, 0; at < len(text) && !l.done(); {
		end := nextBlank(text, min(len(text), at+chunkBytes))
		n := l.words.count(text[at:end])
		if l.wants(word, n) {
			l.searchChunk(at, end, word)
		}
		at, word = end, word+n
	}
	for !l.done() {
		l.ends = append(l.ends, len(text), len(text)) // a word not found in any piece is placed at the end of the text
	}
}

func (l *locator) position(word int) (start, end int) {
	i := sort.SearchInts(l.wanted, word)
	return l.ends[2*i], l.ends[2*i+1]
}

func (l *locator) done() bool { return len(l.ends) == 2*len(l.wanted) }

// wants reports whether any word with a number in [word, word+n) is wanted and not yet found.
func (l *locator) wants(word, n int) bool { return !l.done() && l.wanted[len(l.ends)/2] < word+n }

// nextBlank returns the position of the first ASCII white space in text[at:], or len(text) if there
// is none.
func nextBlank(text []byte, at int) int {
	for at < len(text) && !blank(text[at]) {
		at++
	}
	return at
}

func blank(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }

// searchChunk finds the wanted words of a chunk, given its range in the text and the number of its
// first word.
func (l *locator) searchChunk(at, end, word int) {
	for at < end && !l.done() {
		for at < end && blank(l.text[at]) {
			at++
		}
		next := nextBlank(l.text[:end], at)
		n := l.words.count(l.text[at:next])
		if l.wants(word, n) {
			l.searchPiece(at, next, word, n)
		}
		at, word = next, word+n
	}
}

// mostTried is the maximum number of positions near the middle of a piece at which searchPiece
// tries to cut.
const mostTried = 16

// searchPiece finds the wanted words of a piece of n words. It cuts the piece near the middle,
// where the two halves have n words in total, so that no word is split.
func (l *locator) searchPiece(at, end, word, n int) {
	if n == 1 {
		l.ends = append(l.ends, at, end)
		return
	}
	cut := at + (end-at)/2
	for range mostTried {
		if cut = l.nextLetter(cut, end); cut == end {
			break
		}
		if left := l.words.count(l.text[at:cut]); left > 0 && left < n && left+l.words.count(l.text[cut:end]) == n {
			if l.wants(word, left) {
				l.searchPiece(at, cut, word, left)
			}
			if l.wants(word+left, n-left) {
				l.searchPiece(cut, end, word+left, n-left)
			}
			return
		}
		cut++
	}
	l.searchByCounting(at, end, word, n)
}

// searchByCounting finds the wanted words of a piece by counting the words of its prefixes. A word
// starts at the end of the longest prefix that contains only the words before it.
func (l *locator) searchByCounting(at, end, word, n int) {
	start := func(i int) int { // returns the start of the i-th word of the piece
		if i == n {
			return end
		}
		k := sort.Search(end-at, func(k int) bool { return l.words.count(l.text[at:l.nextLetter(at+k, end)]) > i })
		return at + max(0, k-1)
	}
	for l.wants(word, n) {
		i := l.wanted[len(l.ends)/2] - word
		stop := start(i + 1)
		// One letter can belong to two words: ½, for example, can be normalised to two words. So
		// the first letter of the next word may also belong to this word.
		before, next := len(l.words.spell(nil, l.text[at:stop])), l.nextLetter(min(stop+1, end), end)
		if endOf(l.words.spell(nil, l.text[at:next]), i+1) > before {
			stop = next
		}
		l.ends = append(l.ends, start(i), stop)
	}
}

// nextLetter returns the start of the first code point that starts in l.text[at:end], or end if
// there is none.
func (l *locator) nextLetter(at, end int) int {
	for at < end && !utf8.RuneStart(l.text[at]) {
		at++
	}
	return at
}
