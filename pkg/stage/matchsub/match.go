package matchsub

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"doppel/pkg/line"
	"doppel/pkg/msg"
	stagelines "doppel/pkg/stage/lineio"
	"doppel/pkg/substr"
	"doppel/pkg/text"
	"doppel/pkg/tool"
)

// newWork returns a function that makes workers. A worker is a function that returns the output for
// a pair.
func newWork(e *tool.Env, o *Options, from texts, base []reference) func() func(pair) result {
	switch {
	case o.Bytes:
		return func() func(pair) result { return newMatcher(e, o, from, base, asBytes).matchPair }
	case !o.Show.On:
		return func() func(pair) result { return newMatcher(e, o, from, base, asRunes).matchPair }
	}
	shown := o.Show.layout(e)
	return func() func(pair) result {
		m := newMatcher(e, o, from, base, asRunes)
		m.output = func(s sides[rune]) result { return result{out: shown.showPair(s, m.blocks(s))} }
		return m.matchPair
	}
}

// A codec converts between texts and symbols.
type codec[T substr.Symbol] struct {
	decode       func(text, name []byte) ([]T, error)
	encode       func(dst []byte, symbols []T) []byte
	appendFolded func(dst []T, letter string) []T
	width        func(size int) int // number of symbols of a letter of the given size in bytes
}

var asBytes = codec[byte]{
	decode:       func(text, _ []byte) ([]byte, error) { return text, nil },
	encode:       func(dst, text []byte) []byte { return append(dst, text...) },
	appendFolded: func(dst []byte, letter string) []byte { return append(dst, letter...) },
	width:        func(size int) int { return size },
}

var asRunes = codec[rune]{
	decode: decode,
	encode: func(dst []byte, text []rune) []byte {
		for _, r := range text {
			dst = utf8.AppendRune(dst, r)
		}
		return dst
	},
	appendFolded: func(dst []rune, letter string) []rune { return append(dst, []rune(letter)...) },
	width:        func(int) int { return 1 },
}

// decode returns the code points of a text.
func decode(text, name []byte) ([]rune, error) {
	if utf8.Valid(text) {
		return bytes.Runes(text), nil
	}
	at := 0
	for {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n == 1 {
			return nil, msg.WithHint(fmt.Errorf("%s: not UTF-8 at byte %d", name, at), "--bytes compares bytes of any encoding")
		}
		at += n
	}
}

// A matcher finds the matches of pairs. It is not safe for concurrent use.
type matcher[T substr.Symbol] struct {
	o      *Options
	from   texts
	codec  codec[T]
	format line.Format
	output func(sides[T]) result
	base   []reference

	letters *text.Letters // normalises letters; made when it is needed

	name     []byte // name of the first text of the last pair; the next pair often has the same first text
	last     []T    // first text of the last pair, as symbols
	lastFrom *origin[T]
	known    []bool // for each of these symbols, whether it is in a base; nil if there is no base
}

func newMatcher[T substr.Symbol](e *tool.Env, o *Options, from texts, base []reference, c codec[T]) *matcher[T] {
	m := &matcher[T]{o: o, from: from, base: base, codec: c, format: stagelines.Format(e)}
	m.output = func(s sides[T]) result { return m.lines(s, s.cutBase(m.blocks(s), o.Threshold)) }
	switch {
	case o.Summary:
		m.output = m.summary
	case o.AllMatches:
		m.output = m.maximal
	}
	return m
}

// matchPair finds the matches of a pair.
func (m *matcher[T]) matchPair(p pair) result {
	if p.err != nil {
		return result{err: p.err}
	}
	if m.last == nil || !bytes.Equal(p.A, m.name) {
		a, from, err := m.read(p.A)
		if err != nil {
			return result{err: err}
		}
		if m.known, err = m.cover(a); err != nil {
			return result{err: err}
		}
		m.name, m.last, m.lastFrom = p.A, a, from
	}
	b, from, err := m.read(p.B)
	if err != nil {
		return result{err: err}
	}
	if len(m.last)+len(b) > substr.MaxLen {
		return result{err: fmt.Errorf("%s and %s: more than %d characters in total", p.A, p.B, substr.MaxLen)}
	}
	return m.output(sides[T]{p.Pair, m.last, b, m.lastFrom, from, m.known})
}

// sides holds the names and the texts of a pair.
type sides[T substr.Symbol] struct {
	line.Pair
	a, b         []T
	fromA, fromB *origin[T]
	known        []bool // which symbols of the first text are in a base and do not count; nil if all count
}

// blocks returns the matching blocks of two texts, in the order of their positions.
func (m *matcher[T]) blocks(s sides[T]) (found []substr.Match) {
	if !m.o.Difflib {
		return substr.Blocks(s.a, s.b, m.o.Threshold)
	}
	for _, match := range substr.Difflib(s.a, s.b) {
		if match.Size >= m.o.Threshold {
			found = append(found, match)
		}
	}
	return found
}
