package matchsub

import (
	"doppel/pkg/line"
	"doppel/pkg/substr"
	"doppel/pkg/tool"
)

// piece is how many bytes of the lines of one pair are made at once. Matches that
// cross repeat their text, so that the lines of two texts of 20 kB may be 400 MB.
const piece = 1 << 20

// lines returns a line for each match, the largest first: as many as fit into a
// piece, and then the rest.
func (m *matcher[T]) lines(s sides[T], found []substr.Match) result {
	l := &lines[T]{m.codec, m.format, s, m.lineEnds(s), substr.Largest(found, m.o.Matches)}
	r := result{out: l.piece(nil)}
	if len(l.matches) > 0 {
		r.rest = l
	}
	return r
}

// lines are those of the matches of a pair that are not written yet.
type lines[T substr.Symbol] struct {
	codec   codec[T]
	format  line.Format
	sides   sides[T]
	numbers *lineEnds // nil: lines are not numbered
	matches []substr.Match
}

// piece appends lines until dst is a piece or more.
func (l *lines[T]) piece(dst []byte) []byte {
	var text []byte
	for len(l.matches) > 0 && len(dst) < piece {
		dst, text = l.append(dst, text, l.matches[0])
		l.matches = l.matches[1:]
	}
	return dst
}

// append appends the line of a match; text is memory for it.
func (l *lines[T]) append(dst, text []byte, m substr.Match) (_, _ []byte) {
	text = l.codec.encode(text[:0], l.sides.a[m.A:m.A+m.Size])
	found := line.Match{
		A: l.sides.A, B: l.sides.B,
		StartA: int64(m.A), EndA: int64(m.A + m.Size),
		StartB: int64(m.B), EndB: int64(m.B + m.Size),
		Text: text, Size: int64(m.Size),
	}
	l.numbers.number(&found)
	return found.Append(dst, l.format), text
}

// write writes all lines that are left.
func (l *lines[T]) write(e *tool.Env) (_ excess, written int64, err error) {
	var buf []byte
	for len(l.matches) > 0 && err == nil {
		buf = l.piece(buf[:0])
		written += int64(len(buf))
		_, err = e.Out.Write(buf)
	}
	return excess{}, written, err
}
