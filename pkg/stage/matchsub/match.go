package matchsub

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"doppel/pkg/record"
	"doppel/pkg/substr"
	"doppel/pkg/tool"
	"doppel/pkg/tsv"
)

func readFile(name []byte) ([]byte, error) { return record.AppendFile(nil, string(name)) }

func writeHeader(e *tool.Env) {
	e.Out.WriteString(strings.Join(tsv.Matches, "\t") + "\n")
	e.Out.Flush() // so that the next tool of a pipe fails early; an error is met again at the end
}

// newWork returns what makes the function that turns a pair into output.
func newWork(e *tool.Env, o *options, read func([]byte) ([]byte, error)) func() func(pair) result {
	switch {
	case o.bytes:
		return func() func(pair) result {
			m := newMatcher(e, o, func(text []byte, _ []byte) ([]byte, error) { return text, nil })
			m.encode = func(dst, text []byte) []byte { return append(dst, text...) }
			return m.on(read, m.lines)
		}
	case o.show.on:
		look := o.show.look(e)
		return func() func(pair) result {
			m := newMatcher(e, o, decode)
			return m.on(read, func(p pair, a, b []rune) []byte { return look.pair(p, a, b, m.find(a, b)) })
		}
	}
	return func() func(pair) result {
		m := newMatcher(e, o, decode)
		m.encode = func(dst []byte, text []rune) []byte {
			for _, r := range text {
				dst = utf8.AppendRune(dst, r)
			}
			return dst
		}
		return m.on(read, m.lines)
	}
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
			return nil, tool.WithHint(fmt.Errorf("%s: not UTF-8 at byte %d", name, at), "--bytes")
		}
		at += n
	}
}

// A matcher works on pairs in one goroutine.
type matcher[T substr.Symbol] struct {
	o      *options
	decode func(text, name []byte) ([]T, error)
	encode func(dst []byte, text []T) []byte
	enc    tsv.Encoder
	name   []byte // of the last first text, for pairs come sorted by it
	last   []T
}

func newMatcher[T substr.Symbol](e *tool.Env, o *options, decode func(text, name []byte) ([]T, error)) *matcher[T] {
	return &matcher[T]{o: o, decode: decode, enc: tsv.Encoder{Stream: tsv.Matches, JSON: e.JSON}}
}

// on returns the function that reads the texts of a pair and writes them by lines.
func (m *matcher[T]) on(read func([]byte) ([]byte, error), lines func(p pair, a, b []T) []byte) func(pair) result {
	return func(p pair) result {
		if p.err != nil {
			return result{err: p.err}
		}
		if m.last == nil || !bytes.Equal(p.a, m.name) {
			a, err := m.text(read, p.a)
			if err != nil {
				return result{err: err}
			}
			m.name, m.last = p.a, a
		}
		b, err := m.text(read, p.b)
		if err != nil {
			return result{err: err}
		}
		if len(m.last)+len(b) > substr.MaxLen {
			return result{err: fmt.Errorf("%s and %s: longer than %d together", p.a, p.b, substr.MaxLen)}
		}
		return result{out: lines(p, m.last, b)}
	}
}

func (m *matcher[T]) text(read func([]byte) ([]byte, error), name []byte) ([]T, error) {
	text, err := read(name)
	if err != nil {
		return nil, err
	}
	return m.decode(text, name)
}

// lines returns a line for each match.
func (m *matcher[T]) lines(p pair, a, b []T) (out []byte) {
	var text []byte
	for _, match := range substr.Largest(m.find(a, b), m.o.most) {
		m.enc.Begin(out)
		m.enc.Bytes(p.a)
		m.enc.Bytes(p.b)
		m.enc.Int(int64(match.A))
		m.enc.Int(int64(match.A + match.Size))
		m.enc.Int(int64(match.B))
		m.enc.Int(int64(match.B + match.Size))
		text = m.encode(text[:0], a[match.A:match.A+match.Size])
		m.enc.Bytes(text)
		m.enc.Int(int64(match.Size))
		out = m.enc.End()
	}
	return out
}

// find returns the matches of two texts, in the order of the first.
func (m *matcher[T]) find(a, b []T) (found []substr.Match) {
	switch {
	case m.o.maximal:
		substr.Maximal(a, b, m.o.least, func(match substr.Match) error {
			found = append(found, match)
			return nil
		})
	case m.o.difflib:
		for _, match := range substr.Difflib(a, b) {
			if match.Size >= m.o.least {
				found = append(found, match)
			}
		}
	default:
		found = substr.Blocks(a, b, m.o.least)
	}
	return found
}
