package span

import (
	"fmt"
	"slices"
	"unicode"
	"unicode/utf8"

	"doppel/pkg/text/utf"
)

// A Snap says where a cut may begin and end.
type Snap byte

// The values of Snap, from the most lenient to the strictest.
const (
	Byte Snap = iota // cuts begin and end anywhere
	UTF8             // cuts do not split code points
	Word             // cuts do not split words
	Line             // cuts begin and end only at the start of a line or the end of the text
)

var snaps = []string{"byte", "utf8", "word", "line"}

func (s Snap) String() string { return snaps[s] }

// Set parses the name of a Snap. With Set, String and Type, *Snap implements pflag.Value.
func (s *Snap) Set(v string) error {
	i := slices.Index(snaps, v)
	if i < 0 {
		return fmt.Errorf("invalid unit %q: want byte, utf8, word or line", v)
	}
	*s = Snap(i)
	return nil
}

// Type returns the name of the flag's value in help texts.
func (s *Snap) Type() string { return "UNIT" }

// Shrink shrinks a span until both ends are at positions where s allows a cut to begin or end; ok
// is false if nothing remains. If s is Word and the cut would join two words into one, Shrink
// leaves the last separator between them.
func (s Snap) Shrink(text []byte, in Span) (out Span, ok bool) {
	out = in
	for out.Start < out.End && !s.between(text, out.Start) {
		out.Start++
	}
	for out.Start < out.End && !s.between(text, out.End) {
		out.End--
	}
	if s == Word && out.Start < out.End && out.Start > 0 && out.End < len(text) {
		before, _ := utf8.DecodeLastRune(text[:out.Start])
		last, n := utf8.DecodeLastRune(text[out.Start:out.End])
		after, _ := utf8.DecodeRune(text[out.End:])
		if joins(before, after) && !ofWord(last) {
			out.End -= n
		}
	}
	return out, out.Start < out.End
}

// between reports whether s allows a cut before text[at].
func (s Snap) between(text []byte, at int) bool {
	if at == 0 || at == len(text) {
		return true
	}
	switch s {
	case UTF8:
		return !insideLetter(text, at)
	case Word:
		before, _ := utf8.DecodeLastRune(text[:at])
		after, _ := utf8.DecodeRune(text[at:])
		// A combining mark belongs to the character before it, whatever that character is.
		return !insideLetter(text, at) && !unicode.Is(unicode.M, after) && !joins(before, after)
	case Line:
		return text[at-1] == '\n'
	}
	return true
}

// insideLetter reports whether text[at] is part of a valid code point that begins before it.
func insideLetter(text []byte, at int) bool { return utf.Start(text, at) < at }

// joins reports whether two adjacent letters belong to one word.
func joins(before, after rune) bool {
	return ofWord(before) && ofWord(after) && !alone(before) && !alone(after)
}

// alone reports whether a letter belongs to a script written without spaces, so that each
// letter is a word.
func alone(r rune) bool { return r >= 0x0e00 && unicode.In(r, utf.Spaceless...) }

// ofWord reports whether a rune can be part of a word: a letter, mark, number or connector. All
// packages of doppel use this definition of a word.
func ofWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc)
}
