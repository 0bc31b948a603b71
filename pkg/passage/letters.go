package passage

import (
	"unicode/utf8"

	"doppel/pkg/text"
)

// What a letter does to words.
type kind byte

const (
	separator kind = iota
	inWord
	wholeWord // of scripts that are written without spaces
)

// A letter is what normalisation makes of a code point, or of a byte that is
// none.
type letter struct {
	folded string
	kind   kind
}

// letters asks package text once for each letter that comes. Its Shingler
// makes words faster, but does not say where in the text they were.
type letters struct {
	shingler *text.Shingler
	bytes    [256]*letter
	runes    map[rune]*letter
}

func newLetters(how text.Normalization) *letters {
	l := &letters{
		shingler: text.NewShingler(text.Options{Shingle: text.Default.Shingle, Normalize: how}),
		runes:    map[rune]*letter{},
	}
	for b := range l.bytes {
		l.bytes[b] = l.ask([]byte{byte(b)})
	}
	return l
}

// next returns the first letter of a text and its length in bytes.
func (l *letters) next(s []byte) (*letter, int) {
	if s[0] < utf8.RuneSelf {
		return l.bytes[s[0]], 1
	}
	r, n := utf8.DecodeRune(s)
	if r == utf8.RuneError && n == 1 {
		return l.bytes[s[0]], 1
	}
	found := l.runes[r]
	if found == nil {
		found = l.ask(s[:n])
		l.runes[r] = found
	}
	return found, n
}

// ask normalises a letter alone, and two of it to see whether they are one
// word.
func (l *letters) ask(s []byte) *letter {
	one := string(l.shingler.Normalized(nil, s))
	if one == "" {
		return &letter{}
	}
	two := l.shingler.Normalized(nil, append(append([]byte(nil), s...), s...))
	if len(two) > 2*len(one) {
		return &letter{one, wholeWord}
	}
	return &letter{one, inWord}
}
