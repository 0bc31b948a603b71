package quality

import (
	"slices"
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// A Text holds a text and the results that its metrics share, such as its words. The zero value
// holds an empty text. Set reuses the memory of the previous text. A Text is not safe for
// concurrent use.
type Text struct {
	raw     []byte
	scanned bool // the next four fields are valid
	chars   int  // total number of characters
	special int  // number of characters other than letters, marks, numbers and white space
	words   []word
	inWords int // number of characters in all words

	grams grams
	seen  table

	pieces    [2][]line
	linesDone bool
	folded    []byte // buffer for the result of fold
}

// A word describes one word of the text. The package comment defines what a word is.
type word struct {
	hash       uint64
	start, end uint32
	before     uint32 // number of characters in all previous words
	lone       bool   // the word is one letter of a script without spaces
}

// Set makes t hold the text b. It does not copy b, so b must not change until the next call of Set.
// The metrics measure only the first 2 GiB of a text.
func (t *Text) Set(b []byte) {
	fillClasses()
	if cap(t.words)+cap(t.pieces[lines]) > mostKept {
		*t = Text{}
	}
	if len(b) > mostKept { // make room for the words of prose, so that they are not copied
		t.words = slices.Grow(t.words[:0], len(b)/5)
	}
	n := min(len(b), 1<<31-1)
	t.raw = b[:n:n] // the capacity keeps hashLower from reading beyond the text
	t.scanned, t.linesDone = false, false
	t.pieces = [2][]line{t.pieces[lines][:0], t.pieces[paragraphs][:0]}
	t.grams.reset()
}

// mostKept is the maximum number of words and lines for which Set keeps the memory of the previous
// text. So a long text does not take memory until the end of the run.
const mostKept = 1 << 20

const nonASCII class = 255

// asciiClass maps each byte below 0x80 to its class without flags, and all other bytes to nonASCII.
var asciiClass [256]class

// scan finds the words and counts the characters, unless it has already done so.
func (t *Text) scan() {
	if t.scanned {
		return
	}
	t.scanned, t.chars, t.special, t.words, t.inWords = true, 0, 0, t.words[:0], 0
	b, w := t.raw, openWord{}
	for i := 0; i < len(b); {
		// Characters of class other are handled first, because they are often consecutive.
		if c := asciiClass[b[i]]; c == other {
			t.chars++
			t.special++
			i++
			continue
		}
		j, n, c, size := scanRun(b, i)
		w.cased |= c & cased
		if n > 0 { // in most iterations, n is not 0
			if w.end == 0 {
				w.start, w.firstChar = i, t.chars
			}
			t.chars += n
			w.end, w.afterChar = j, t.chars
		}
		if size > 0 {
			t.chars++
			switch c & classBits {
			case space:
				t.closeWord(&w)
			case lone:
				t.closeWord(&w)
				t.appendWord(word{hash: hashLower(b[j : j+size]), start: uint32(j), end: uint32(j + size), lone: true}, 1)
			case other:
				t.special++
			}
		}
		i = j + size
	}
	t.closeWord(&w)
}

// scanRun reads the sequence of word characters at b[i:]. It returns the end of the sequence, the
// number of characters in it, and the class and the size of the character after it. The size is 0
// at the end of b. The cased flag is also set in this class if a character above ASCII in the
// sequence has it.
func scanRun(b []byte, i int) (j, n int, c class, size int) {
	ascii, marks := i, class(0)
	for j = i; j < len(b); {
		if c, size = asciiClass[b[j]], 1; c == wordChar {
			j++
			continue
		}
		if c == nonASCII {
			c, size = decode(b[j:])
			marks |= c & cased
		}
		n += j - ascii
		if c&classBits != wordChar {
			return j, n, c | marks, size
		}
		j += size
		n, ascii = n+1, j
	}
	return j, n + j - ascii, marks, 0
}

// decode returns the class and the size of the first character of b, which must not be ASCII.
func decode(b []byte) (class, int) {
	r, size := utf.Decode(b)
	if size == 1 {
		return other, 1
	}
	return classOf(r), size
}

// An openWord is the word raw[start:end] that scan is reading. The last byte of the last word
// character read so far is raw[end-1]; end is 0 if there is no word yet.
type openWord struct {
	start, end           int
	firstChar, afterChar int   // start and end, counted in characters
	cased                class // has the cased flag if fold must be applied to the word
}

// closeWord appends the open word, if any, to the words.
func (t *Text) closeWord(w *openWord) {
	if w.end != 0 {
		b := t.raw[w.start:w.end]
		if w.cased != 0 {
			b = t.fold(b)
		}
		t.appendWord(word{hash: hashLower(b), start: uint32(w.start), end: uint32(w.end)}, w.afterChar-w.firstChar)
	}
	w.end, w.cased = 0, 0
}

func (t *Text) appendWord(w word, chars int) {
	w.before = uint32(t.inWords)
	t.words = append(t.words, w)
	t.inWords += chars
}

// fold returns b in lower case. The next call overwrites the result.
func (t *Text) fold(b []byte) []byte {
	out := t.folded[:0]
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			out = append(out, b[i])
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if size > 1 && classOf(r)&cased != 0 {
			out = utf8.AppendRune(out, lower(r))
		} else {
			out = append(out, b[i:i+size]...)
		}
		i += size
	}
	t.folded = out
	return out
}

// count returns the number of words in the text.
func (t *Text) count() int {
	t.scan()
	return len(t.words)
}

// length returns the number of characters in the text.
func (t *Text) length() int {
	t.scan()
	return t.chars
}

// charsOf returns the number of characters in words[i:j].
func (t *Text) charsOf(i, j int) int {
	end := t.inWords
	if j < len(t.words) {
		end = int(t.words[j].before)
	}
	return end - int(t.words[i].before)
}

// bytesOf returns the bytes of a word as they are in the text, not in lower case.
func (t *Text) bytesOf(w word) []byte { return t.raw[w.start:w.end] }
