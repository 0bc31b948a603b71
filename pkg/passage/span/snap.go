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

// The snaps; each is stricter than the previous one.
const (
	Byte Snap = iota // anywhere
	UTF8             // not inside a letter
	Word             // not inside a word
	Line             // only where lines begin
)

var snaps = []string{"byte", "utf8", "word", "line"}

func (s Snap) String() string { return snaps[s] }

// Set parses a snap's name; with String and Type it makes a flag.
func (s *Snap) Set(v string) error {
	i := slices.Index(snaps, v)
	if i < 0 {
		return fmt.Errorf("invalid unit %q: want byte, utf8, word or line", v)
	}
	*s = Snap(i)
	return nil
}

// Type names the value in help.
func (s *Snap) Type() string { return "UNIT" }

// Shrink returns the largest span inside s with allowed ends; ok is false if only an empty span
// has them. If the cut would join two words into one, Shrink leaves the last separator between
// them.
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

// between reports whether a text may be cut before the byte at a place.
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
		// A mark belongs to the character before it, of any kind.
		return !insideLetter(text, at) && !unicode.Is(unicode.M, after) && !joins(before, after)
	case Line:
		return text[at-1] == '\n'
	}
	return true
}

// insideLetter reports whether a valid code point begins before the place and
// ends after it.
func insideLetter(text []byte, at int) bool {
	if utf8.RuneStart(text[at]) {
		return false
	}
	for start := at - 1; start >= max(0, at-utf8.UTFMax+1); start-- {
		if utf8.RuneStart(text[start]) {
			_, n := utf8.DecodeRune(text[start:])
			return start+n > at
		}
	}
	return false
}

// joins reports whether two adjacent letters are in one word.
func joins(before, after rune) bool {
	return ofWord(before) && ofWord(after) && !alone(before) && !alone(after)
}

// alone reports whether a letter belongs to a script written without spaces, so that each
// letter is a word.
func alone(r rune) bool { return r >= 0x0e00 && unicode.In(r, utf.Spaceless...) }

// ofWord reports whether a rune is part of a word, as in all packages: letters, marks, digits,
// connectors.
func ofWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pc)
}
