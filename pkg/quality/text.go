package quality

import "unicode/utf8"

// A Text is a text prepared for measuring. The zero value is an empty text; a
// Text is not safe for concurrent use, and its memory is used again by Set.
type Text struct {
	raw     []byte
	chars   int // all characters
	special int // those neither letter, mark, number nor space
	words   []word
	inWords int // the characters of all words

	grams grams
	seen  table

	lines      []line
	paragraphs []line
	linesDone  bool
	folded     []byte // a word of other than ASCII letters, in lower case
}

// A word is a trimmed run of the text.
type word struct {
	hash       uint64
	start, end uint32
	before     uint32 // characters in the words before it
	lone       bool   // a letter of a script without spaces
}

// Set prepares the text. It keeps b, which must stay unchanged until the next
// call. Texts over 2 GiB are measured by their first 2 GiB.
func (t *Text) Set(b []byte) {
	n := min(len(b), 1<<31-1)
	t.raw = b[:n:n] // the limit keeps tail from reading behind the text
	t.chars, t.special = 0, 0
	t.words, t.inWords = t.words[:0], 0
	t.lines, t.paragraphs, t.linesDone = t.lines[:0], t.paragraphs[:0], false
	t.grams.reset()
	t.scan()
}

const nonASCII class = 255

// asciiClass is classTable for one byte; those from 0x80 are nonASCII.
var asciiClass = func() (c [256]class) {
	for i := range c {
		if c[i] = slowClass(rune(i)); i >= utf8.RuneSelf {
			c[i] = nonASCII
		}
	}
	return c
}()

// scan finds the words. An open word is b[start:end]; end is behind its last
// letter so far, so that what follows is trimmed when the word closes.
func (t *Text) scan() {
	b := t.raw
	w := openWord{}
	for i := 0; i < len(b); {
		size, c := 1, asciiClass[b[i]]
		switch c {
		case wordChar: // most of any text: taken to the end of the run
			j := i + 1
			for j < len(b) && asciiClass[b[j]] == wordChar {
				j++
			}
			t.chars += j - i
			w.extend(i, j, j-i, t.chars)
			i = j
			continue
		case nonASCII:
			c, size = decode(b[i:])
			w.foreign = true
		}
		t.chars++
		t.step(&w, c, i, i+size)
		i += size
	}
	t.close(&w)
}

// decode returns the class and the size of the character that b starts with.
func decode(b []byte) (class, int) {
	r, size := utf8.DecodeRune(b)
	if size == 1 {
		return other, 1
	}
	return classOf(r), size
}

// step takes one character of class c, in raw[i:j], to the open word.
func (t *Text) step(w *openWord, c class, i, j int) {
	switch c {
	case wordChar:
		w.extend(i, j, 1, t.chars)
	case space:
		t.close(w)
	case lone:
		t.close(w)
		t.add(word{hash: hashLower(t.raw[i:j]), start: uint32(i), end: uint32(j), lone: true}, 1)
	case other:
		t.special++
	}
}

// An openWord is the word that scan is in. Positions are in bytes, and in
// characters of the text for the length.
type openWord struct {
	start, end           int
	firstChar, afterChar int
	foreign              bool // holds, or is followed by, bytes from 0x80
}

// extend adds raw[i:j], whose n characters end at character after of the text.
func (w *openWord) extend(i, j, n, after int) {
	if w.end == 0 {
		w.start, w.firstChar = i, after-n
	}
	w.end, w.afterChar = j, after
}

// close adds the open word, if there is one, to the words.
func (t *Text) close(w *openWord) {
	if w.end != 0 {
		b := t.raw[w.start:w.end]
		if w.foreign {
			b = t.fold(b)
		}
		t.add(word{hash: hashLower(b), start: uint32(w.start), end: uint32(w.end)}, w.afterChar-w.firstChar)
	}
	w.end, w.foreign = 0, false
}

func (t *Text) add(w word, chars int) {
	w.before = uint32(t.inWords)
	t.words = append(t.words, w)
	t.inWords += chars
}

// fold returns b in lower case, in memory that the next call overwrites.
func (t *Text) fold(b []byte) []byte {
	out := t.folded[:0]
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			out = append(out, b[i])
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if size == 1 {
			out = append(out, b[i])
		} else {
			out = utf8.AppendRune(out, lower(r))
		}
		i += size
	}
	t.folded = out
	return out
}

// charsOf returns the number of characters in the words from i up to j.
func (t *Text) charsOf(i, j int) int {
	end := t.inWords
	if j < len(t.words) {
		end = int(t.words[j].before)
	}
	return end - int(t.words[i].before)
}

// bytesOf returns the bytes of a word as they stand in the text.
func (t *Text) bytesOf(w word) []byte { return t.raw[w.start:w.end] }
