package text

import "unicode/utf8"

// A Letter is the normalised form of a code point, or of a byte that is not valid UTF-8.
type Letter struct {
	Folded string // empty for a separator
	Kind   LetterKind
}

// A LetterKind says whether a letter separates words, is part of a word, or is a word by itself.
type LetterKind byte

// The kinds of letters. Under None, every letter is InWord.
const (
	Separator LetterKind = iota
	InWord
	WholeWord // letter of a script written without spaces: the letter is a word
)

// Letters normalises texts letter by letter, so that the caller knows the position of each letter
// in the text. A Shingler is faster, but does not report positions. The words are the same, except
// under Aggressive if several code points are decomposed together. Letters normalises each
// distinct letter once, and is not safe for concurrent use.
type Letters struct {
	shingler *Shingler
	bytes    [256]*Letter
	runes    map[rune]*Letter
}

// NewLetters returns Letters for a normalization.
func NewLetters(how Normalization) *Letters {
	l := &Letters{shingler: NewShingler(Options{Default.Shingle, how}), runes: map[rune]*Letter{}}
	for b := range l.bytes {
		l.bytes[b] = l.normalize([]byte{byte(b)})
	}
	return l
}

// Next returns the first letter of a text that is not empty, and the letter's length in bytes.
func (l *Letters) Next(s []byte) (*Letter, int) {
	if s[0] < utf8.RuneSelf {
		return l.bytes[s[0]], 1
	}
	r, n := utf8.DecodeRune(s)
	if r == utf8.RuneError && n == 1 {
		return l.bytes[s[0]], 1
	}
	found := l.runes[r]
	if found == nil {
		found = l.normalize(s[:n])
		l.runes[r] = found
	}
	return found, n
}

// normalize normalises a letter. It also normalises two copies of the letter in a row, to find out
// whether they make one word or two.
func (l *Letters) normalize(s []byte) *Letter {
	one := string(l.shingler.Normalized(nil, s))
	if one == "" {
		return &Letter{}
	}
	two := l.shingler.Normalized(nil, append(append([]byte(nil), s...), s...))
	if len(two) > 2*len(one) {
		return &Letter{one, WholeWord}
	}
	return &Letter{one, InWord}
}
