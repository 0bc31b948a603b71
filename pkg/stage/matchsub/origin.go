package matchsub

import (
	"fmt"
	"unicode/utf8"

	"doppel/pkg/substr"
	"doppel/pkg/text"
	"doppel/pkg/text/wide"
)

// An origin says where the symbols of a text are in its file, if the compared symbols are not those
// of the file: a text may be normalised, and the bytes of a UTF-16 file are compared as UTF-8. A nil
// origin means that the compared symbols are those of the file.
type origin[T substr.Symbol] struct {
	file     []T
	wide     wide.Text // the file, if its bytes are compared as UTF-8
	at       []int32   // position in the file of each compared symbol, then the end of the last one
	lineEnds []int64   // as returned by the function lineEnds
	words    bool      // the text is normalised, so its words are separated by single spaces
}

// place returns the range of the file that a range of compared symbols comes from. Both ends of the
// range must be between letters, and the last symbol must not be the space between two words.
func (o *origin[T]) place(start, end int) (int64, int64) {
	if o == nil {
		return int64(start), int64(end)
	}
	return int64(o.at[start]), int64(o.at[end])
}

// inside reports whether a position in the compared text is inside a letter.
func (o *origin[T]) inside(text []T, at int) bool {
	return o != nil && at > 0 && o.at[at] == o.at[at-1] && text[at-1] != ' '
}

// size returns the number of symbols in the file of a text.
func (o *origin[T]) size(text []T) int {
	if o == nil {
		return len(text)
	}
	return len(o.file)
}

// read returns the text of a file or record, and its origin.
func (m *matcher[T]) read(name []byte) ([]T, *origin[T], error) {
	content, err := m.from(name)
	if err != nil {
		return nil, nil, err
	}
	return m.symbols(content, name)
}

// symbols returns the symbols to compare of a text with the given name.
func (m *matcher[T]) symbols(content, name []byte) ([]T, *origin[T], error) {
	utf16, isWide := wide.Parse(content)
	if isWide && !m.o.Bytes { // positions are counted in characters
		content, utf16, isWide = wide.ToUTF8(content), wide.Text{}, false
	}
	file, err := m.codec.decode(content, name)
	switch {
	case err != nil:
		return nil, nil, err
	case m.o.Normalize == text.None && !isWide:
		return file, nil, nil
	case len(content) > substr.MaxLen:
		return nil, nil, fmt.Errorf("%s: more than %d bytes", name, substr.MaxLen)
	}
	if m.letters == nil {
		m.letters = text.NewLetters(m.o.Normalize)
	}
	o := &origin[T]{file: file, wide: utf16, words: m.o.Normalize != text.None}
	return m.normalize(o, content), o, nil
}

// normalize returns the normalised text. It sets the positions of its symbols, and the line ends.
func (m *matcher[T]) normalize(o *origin[T], content []byte) (symbols []T) {
	next := func(at int) (letter *text.Letter, first byte, size int) {
		letter, size = m.letters.Next(content[at:])
		return letter, content[at], size
	}
	at := 0
	if o.wide.Size() > 0 {
		at = wide.MarkSize
		var utf8Bytes [utf8.UTFMax]byte
		next = func(at int) (letter *text.Letter, first byte, size int) {
			r, size := o.wide.Next(at)
			letter, _ = m.letters.Next(utf8.AppendRune(utf8Bytes[:0], r))
			return letter, utf8Bytes[0], size
		}
	}
	var feeds, returns []int64
	place := int32(at)
	wordEnd, inWord := place, false // the end of the last word, and whether it may continue
	for at < len(content) {
		letter, first, size := next(at)
		end := place + int32(m.codec.width(size))
		switch first {
		case '\n':
			feeds = append(feeds, int64(end-1))
		case '\r':
			returns = append(returns, int64(end-1))
		}
		if letter.Kind != text.Separator {
			if len(symbols) > 0 && !(inWord && letter.Kind == text.InWord) {
				symbols, o.at = append(symbols, ' '), append(o.at, wordEnd)
			}
			symbols = m.codec.appendFolded(symbols, letter.Folded)
			for len(o.at) < len(symbols) {
				o.at = append(o.at, place)
			}
		}
		inWord = letter.Kind == text.InWord
		if at, place = at+size, end; letter.Kind != text.Separator {
			wordEnd = end
		}
	}
	o.at = append(o.at, wordEnd)
	if o.lineEnds = feeds; len(feeds) == 0 {
		o.lineEnds = returns
	}
	return symbols
}

// wholeLetters shortens a match until it begins and ends between letters in both texts and, in
// normalised texts, with letters of words. The result may be empty.
func (s *sides[T]) wholeLetters(m substr.Match) substr.Match {
	words := s.fromA != nil && s.fromA.words
	split := func(i int) bool { return s.fromA.inside(s.a, m.A+i) || s.fromB.inside(s.b, m.B+i) }
	for m.Size > 0 && (words && s.a[m.A] == ' ' || split(0)) {
		m.A, m.B, m.Size = m.A+1, m.B+1, m.Size-1
	}
	for m.Size > 0 && (words && s.a[m.A+m.Size-1] == ' ' || split(m.Size)) {
		m.Size--
	}
	return m
}
