package matchsub

import (
	"doppel/pkg/line"
	"doppel/pkg/substr"
)

// summary returns a line with the number of matches of a pair, the number of symbols that they
// cover in each text, and the share of each text that they cover. The result is empty if there is
// no match.
func (m *matcher[T]) summary(s sides[T]) result {
	inA, inB, passages := make(spans, s.fromA.size(s.a)+1), make(spans, s.fromB.size(s.b)+1), int64(0)
	add := func(match substr.Match) error {
		passages++
		startA, endA := s.fromA.place(match.A, match.A+match.Size)
		startB, endB := s.fromB.place(match.B, match.B+match.Size)
		inA.add(int(startA), int(endA-startA))
		inB.add(int(startB), int(endB-startB))
		return nil
	}
	if m.o.AllMatches {
		s.eachMaximal(m.o.Threshold, add)
	} else {
		for _, match := range s.cutBase(m.blocks(s), m.o.Threshold) {
			add(match)
		}
	}
	if passages == 0 {
		return result{}
	}
	o := line.Overlap{Pair: s.Pair, Passages: passages, SharedA: inA.count(), SharedB: inB.count()}
	o.ShareA, o.ShareB = float64(o.SharedA)/float64(len(inA)-1), float64(o.SharedB)/float64(len(inB)-1)
	return result{out: o.Append(nil, m.format)}
}
