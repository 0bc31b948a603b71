package matchsub

import (
	"slices"

	"doppel/pkg/line"
	"doppel/pkg/substr"
	"doppel/pkg/tool"
)

// pieceBytes is the approximate number of bytes of a pair's lines that are held in memory at a
// time. Overlapping matches repeat their text, so the lines for two texts of 20 kB may take 400 MB.
const pieceBytes = 1 << 20

// lines returns a line for each match, the largest first. The first lines are formatted at once,
// and the others when they are written.
func (m *matcher[T]) lines(s sides[T], found []substr.Match) result {
	l := &lines[T]{codec: m.codec, format: m.format, sides: s, numbers: m.o.Numbers, matches: substr.Largest(found, m.o.Matches)}
	if l.numbers {
		l.endsA, l.endsB = lineEnds(s.a, s.fromA), lineEnds(s.b, s.fromB)
	}
	r := result{out: l.appendPiece(nil)}
	if len(l.matches) > 0 {
		r.rest = l
	}
	return r
}

// lines holds those matches of a pair that are not written yet.
type lines[T substr.Symbol] struct {
	codec   codec[T]
	format  line.Format
	sides   sides[T]
	numbers bool    // write line numbers
	endsA   []int64 // line ends of the first text, if line numbers are written
	endsB   []int64 // line ends of the second text, if line numbers are written
	matches []substr.Match
}

// lineEnds returns the offsets in a file of its line feeds or, if it has none, of its carriage
// returns.
func lineEnds[T substr.Symbol](text []T, from *origin[T]) (all []int64) {
	if from != nil {
		return from.lineEnds
	}
	end := T('\n')
	if !slices.Contains(text, end) {
		end = '\r'
	}
	for i, c := range text {
		if c == end {
			all = append(all, int64(i))
		}
	}
	return all
}

// lineNumber returns the number, counted from 1, of the line that contains an offset. ends holds
// the offsets of the line ends.
func lineNumber(ends []int64, at int64) int64 {
	n, _ := slices.BinarySearch(ends, at)
	return 1 + int64(n)
}

// appendPiece appends lines to dst until dst has at least pieceBytes bytes or no match is left.
func (l *lines[T]) appendPiece(dst []byte) []byte {
	var text []byte
	for len(l.matches) > 0 && len(dst) < pieceBytes {
		dst, text = l.append(dst, text, l.matches[0])
		l.matches = l.matches[1:]
	}
	return dst
}

// append appends the line of a match to dst. It also returns a buffer to be passed to the next
// call.
func (l *lines[T]) append(dst, text []byte, m substr.Match) (_, _ []byte) {
	s := &l.sides
	found := line.Match{A: s.A, B: s.B, Size: int64(m.Size)}
	found.StartA, found.EndA = s.fromA.place(m.A, m.A+m.Size)
	found.StartB, found.EndB = s.fromB.place(m.B, m.B+m.Size)
	switch from := s.fromA; {
	case from == nil:
		text = l.codec.encode(text[:0], s.a[m.A:m.A+m.Size])
	case from.wide.Size() > 0:
		text = from.wide.Append(text[:0], int(found.StartA), int(found.EndA))
	default:
		text = l.codec.encode(text[:0], from.file[found.StartA:found.EndA])
	}
	found.Text = text
	if found.Numbered = l.numbers; l.numbers {
		found.FirstA, found.LastA = lineNumber(l.endsA, found.StartA), lineNumber(l.endsA, found.EndA-1)
		found.FirstB, found.LastB = lineNumber(l.endsB, found.StartB), lineNumber(l.endsB, found.EndB-1)
	}
	return found.Append(dst, l.format), text
}

// write writes all remaining lines. It implements the interface rest.
func (l *lines[T]) write(e *tool.Env) (written int64, err error) {
	var buf []byte
	for len(l.matches) > 0 && err == nil {
		buf = l.appendPiece(buf[:0])
		written += int64(len(buf))
		_, err = e.Out.Write(buf)
	}
	return written, err
}
